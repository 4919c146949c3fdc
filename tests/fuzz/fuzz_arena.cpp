// Programs for the arena, five bytes for each operation, under the shadow of all live blocks. A program that fails is
// printed as code, ready to become a test.
#include <cstdio>
#include <cstdlib>

#include "tests/runtime/machine.h"

namespace {

using namespace memo::runtime::testing;

std::vector<Operation> program_of(const std::uint8_t* data, std::size_t size) {
  std::vector<Operation> program{{Act::kLoadPlan, size == 0 ? 0u : data[0], 0}, {Act::kPassBegin, 0, 0}};
  for (std::size_t at = 1; at + 5 <= size; at += 5) {
    const auto a = static_cast<std::uint32_t>(data[at + 1] | data[at + 2] << 8);
    const auto b = static_cast<std::uint32_t>(data[at + 3] | data[at + 4] << 8);
    program.push_back({static_cast<Act>(data[at] % kActs), a, b});
  }
  return program;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/tmp/memomalloc-fuzz-" + std::to_string(getpid()) + ".plan";
  const std::vector<Operation> program = program_of(data, size);
  Machine machine(path);
  if (const auto wrong = machine.run(program)) {
    std::fprintf(stderr, "%s\n%s", wrong->c_str(), as_code(program).c_str());
    std::abort();
  }
  return 0;
}
