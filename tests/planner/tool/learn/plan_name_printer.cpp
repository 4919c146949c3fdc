// Prints the name that the library gives to the plan of this process.
#include <climits>
#include <cstdio>

#include "preload/modes/auto/plan_name.h"

int main() {
  char name[NAME_MAX + 1];
  return memo::guest::write_plan_name(name, sizeof name) && std::puts(name) >= 0 ? 0 : 1;
}
