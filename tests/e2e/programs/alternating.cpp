// alternating (PASSES TIMES)…: runs so many passes of two models in turn, each of which runs its layers so many times, and prints a
// checksum of the answers.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/e2e/programs/models.h"

int main(int count, char** arguments) {
  const std::unique_ptr<const Model> models[] = {std::make_unique<Model>(true),
                                                 std::make_unique<Model>(false)};
  std::uint64_t sum = 1;
  for (int at = 1; at + 1 < count; at += 2) {
    const unsigned long passes = std::strtoul(arguments[at], nullptr, 10);
    const unsigned long times = std::strtoul(arguments[at + 1], nullptr, 10);
    for (unsigned long pass = 0; pass < passes; ++pass)
      sum = sum * 31 + models[pass % 2]->forward(8192, times).sum;
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
  return 0;
}
