// Measures what the hook of an operator costs: `hook_bench PASSES BLOCKS` makes passes of a thousand operators that do next to
// nothing, each with a block of its own (1) or without (0). scripts/bench/hooks runs it, hooked and not.
#include "tests/bench/hook_bench.h"

#include <cstdio>
#include <cstdlib>

namespace {

constexpr long kOperators = 1000;

double body(long operators, bool allocates) {
  double x = 0;
  for (long done = 0; done < operators; done += 8) {
    x = bench_operator_0(x, allocates);
    x = bench_operator_1(x, allocates);
    x = bench_operator_2(x, allocates);
    x = bench_operator_3(x, allocates);
    x = bench_operator_4(x, allocates);
    x = bench_operator_5(x, allocates);
    x = bench_operator_6(x, allocates);
    x = bench_operator_7(x, allocates);
  }
  return x;
}

}  // namespace

int main(int argc, char** argv) {
  const long passes = argc > 1 ? std::atol(argv[1]) : 6;
  const bool allocates = argc <= 2 || std::atoi(argv[2]) != 0;
  double sum = 0;
  for (long pass = 0; pass < passes; ++pass) sum += bench_pass(body, kOperators, allocates);
  return sum < 0 ? std::puts("never") : 0;
}
