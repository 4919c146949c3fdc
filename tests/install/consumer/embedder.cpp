// A framework that calls the arena itself instead of being preloaded.
#include <memomalloc/arena.h>

#include <cstdio>

int main() {
  const bool served = memo::arena::serve_plan("/nonexistent/plan");
  std::puts(served ? "serves from nothing" : "refuses a plan that is not there");
  return 0;
}
