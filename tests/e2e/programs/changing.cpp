// changing: reads lines "KIND PASSES", runs so many passes of that kind, and prints a checksum for each line. The kinds call
// malloc from other places, in another order and another number of times: no plan of one fits the other.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "memomalloc/memomalloc.h"

namespace {

constexpr std::size_t kBlocks = 48;

// Folds a block's own bytes into the sum, so that two blocks that share bytes change it.
std::uint64_t folded(std::uint64_t sum, unsigned char* block, std::size_t size) {
  for (std::size_t at = 0; at < size; at += 64) block[at] = static_cast<unsigned char>(at + size);
  for (std::size_t at = 0; at < size; at += 64) sum = sum * 31 + block[at];
  return sum;
}

// Keeps one block over the next, as a chain of layers does. A function of its own for each kind, and so a call site.
template <int kKind>
[[gnu::noinline]] std::uint64_t chain(std::uint64_t sum) {
  unsigned char* before = nullptr;
  for (std::size_t number = 1; number <= kBlocks; ++number) {
    const std::size_t size = 512 * number;
    auto* block = static_cast<unsigned char*>(std::malloc(size));
    sum = folded(sum, block, size);
    std::free(before);
    before = block;
  }
  std::free(before);
  return sum;
}

// Keeps all its blocks to the end.
[[gnu::noinline]] std::uint64_t heap_of_blocks(std::uint64_t sum) {
  unsigned char* blocks[2 * kBlocks];
  for (std::size_t number = 0; number < 2 * kBlocks; ++number) {
    const std::size_t size = 8192 - 64 * number;
    blocks[number] = static_cast<unsigned char*>(std::malloc(size));
    sum = folded(sum, blocks[number], size);
  }
  for (unsigned char* block : blocks) std::free(block);
  return sum;
}

std::uint64_t run(char kind, std::uint64_t sum) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  sum = kind == 'a' ? chain<0>(chain<1>(sum)) : heap_of_blocks(chain<2>(sum));
  if (memo_pass_end != nullptr) memo_pass_end();
  return sum;
}

}  // namespace

int main() {
  char kind = 0;
  unsigned passes = 0;
  while (std::scanf(" %c %u", &kind, &passes) == 2) {
    std::uint64_t sum = 1;
    for (unsigned pass = 0; pass < passes; ++pass) sum = run(kind, sum);
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
    std::fflush(stdout);
  }
  return 0;
}
