// busy_passes PASSES: marked passes of about a millisecond, nearly all of it arithmetic, with forty blocks that any heap has at hand. So
// it makes next to no difference whether they are served.
#include <memomalloc/optional.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "steady.h"

namespace {

constexpr int kBlocks = 40;
constexpr int kRounds = 1500;

std::uint64_t pass(std::uint64_t seed) {
  std::vector<std::vector<std::uint64_t>> made;
  made.reserve(kBlocks);
  for (int block = 0; block < kBlocks; ++block) made.emplace_back(20 + block, seed + static_cast<std::uint64_t>(block));
  std::uint64_t sum = seed;
  for (int round = 0; round < kRounds; ++round)
    for (const auto& block : made)
      for (const std::uint64_t number : block) sum = (sum ^ number) * 0x100000001b3U;
  return sum;
}

}  // namespace

int main(int, char** argv) {
  Answers answers;
  const int passes = std::atoi(argv[1]);
  for (int number = 0; number < passes; ++number) {
    memo_try_pass_begin(1);
    answers.add(std::to_string(pass(static_cast<std::uint64_t>(number))));
    memo_try_pass_end();
  }
  answers.finish();
}
