// Serves from the plan that it is given, as a program with the arena inside does, and says whether it may. The test makes it
// a set-user-id program.
#include <sys/auxv.h>

#include <cstdio>

#include "runtime/serving/plan_in_force.h"

int main(int, char** argv) {
  std::printf("%s %s\n", getauxval(AT_SECURE) != 0 ? "raised" : "ordinary",
              memo::runtime::serve_plan(argv[1]) ? "serves" : "refuses");
}
