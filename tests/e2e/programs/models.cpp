#include "tests/e2e/programs/models.h"

#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t kLayers = 24;

std::uint64_t use(unsigned char* block, std::size_t bytes) {
  std::memset(block, static_cast<int>(bytes % 251), bytes);
  return block[bytes / 2];
}

// A function of its own for each kind, and so a call site.
template <int kKind>
std::uint64_t layers(std::size_t bytes) {
  std::uint64_t sum = 0;
  unsigned char* before = nullptr;
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    const std::size_t own = bytes * (1 + (layer * (5 + kKind)) % 7);
    auto* block = static_cast<unsigned char*>(std::malloc(own));
    sum = sum * 31 + use(block, own);
    std::free(before);
    before = block;
  }
  std::free(before);
  return sum;
}

}  // namespace

std::uint64_t layers_of_wide(std::size_t bytes) {
  return layers<0>(bytes);
}

std::uint64_t layers_of_narrow(std::size_t bytes) {
  return layers<1>(bytes);
}

Answer::~Answer() {
  sum = 0;
}

Answer Model::forward(std::size_t bytes, std::size_t times) const {
  auto* input = static_cast<unsigned char*>(std::malloc(16 * bytes));
  const std::uint64_t first = use(input, 16 * bytes);
  std::uint64_t sum = first;
  for (std::size_t time = 0; time < times; ++time)
    sum = sum * 31 + (wide_ ? layers_of_wide(bytes) : layers_of_narrow(bytes));
  std::free(input);
  return Answer(sum);
}
