// A framework that calls the arena itself instead of being preloaded.
#include <cstdio>

#include "runtime/serving/serving.h"

int main() {
  const bool served = memo::runtime::serve_plan("/nonexistent/plan");
  std::puts(served ? "serves from nothing" : "refuses a plan that is not there");
  return 0;
}
