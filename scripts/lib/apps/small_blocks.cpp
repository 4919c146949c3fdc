// small_blocks CYCLES BYTES MEBIBYTES: so many mebibytes in blocks of so many bytes, freed at once, again and again.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "steady.h"

int main(int, char** argv) {
  const std::size_t bytes = std::strtoul(argv[2], nullptr, 10),
                    mebibytes = std::strtoul(argv[3], nullptr, 10);
  Answers answers;
  for (int cycle = 0; cycle < std::atoi(argv[1]); ++cycle) {
    std::vector<std::unique_ptr<char[]>> blocks((mebibytes << 20) / bytes);
    for (auto& block : blocks) {
      block.reset(new char[bytes]);
      std::memset(block.get(), cycle, bytes);
    }
    answers.add(std::to_string(blocks.back()[bytes - 1]));
  }
  answers.finish();
}
