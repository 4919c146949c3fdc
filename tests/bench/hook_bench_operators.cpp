// The pass and the operators of hook_bench: in a library, so that calls go through slots that can be hooked.
#include "tests/bench/hook_bench.h"

#include <cstdlib>

extern "C" {

#define OPERATOR(number)                                                  \
  double bench_operator_##number(double x, bool allocates) {              \
    if (allocates) {                                                      \
      void* volatile block = std::malloc(100 + (number)*std::size_t{64}); \
      std::free(block);                                                   \
    }                                                                     \
    return x + (number);                                                  \
  }

OPERATOR(0)
OPERATOR(1)
OPERATOR(2)
OPERATOR(3)
OPERATOR(4)
OPERATOR(5)
OPERATOR(6)
OPERATOR(7)

// The empty statement keeps the call from being the function's last act.
double bench_pass(double (*body)(long, bool), long operators, bool allocates) {
  const double result = body(operators, allocates);
  asm volatile("");
  return result;
}
}
