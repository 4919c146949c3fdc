// tiny_passes THOUSANDS BLOCKS: marked passes that take microseconds, with so many blocks each.
#include <memomalloc/optional.h>

#include <string>
#include <vector>

#include "steady.h"

namespace {

std::size_t pass(int blocks, Dice& dice) {
  std::size_t sum = 0;
  std::vector<std::vector<char>> made;
  made.reserve(static_cast<std::size_t>(blocks));
  for (int i = 0; i < blocks; ++i) made.emplace_back(500 + 100 * i, static_cast<char>(dice.below(100)));
  for (const auto& block : made) sum += static_cast<std::size_t>(block.front()) + block.size();
  return sum;
}

}  // namespace

int main(int, char** argv) {
  Answers answers;
  Dice dice(1);
  for (int thousand = 0; thousand < std::atoi(argv[1]); ++thousand) {
    std::size_t sum = 0;
    for (int i = 0; i < 1000; ++i) {
      memo_try_pass_begin(1);
      sum += pass(std::atoi(argv[2]), dice);
      memo_try_pass_end();
    }
    answers.add(std::to_string(sum));
  }
  answers.finish();
}
