// Memory that is used again, pass after pass: every block is dirtied in full before it is freed, calloc in the same slot
// must be zero all the same, small and large; aligned blocks must lie where posix_memalign and the aligned operators
// promise; and what malloc_usable_size says may be written to its last byte without touching a neighbour. Failure: a byte
// that is not zero, a crooked address, a neighbour that changed.
#include <initializer_list>
#include <iterator>
#include <new>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kSizes[] = {1, 24, 64, 65, 1000, 4096, 70000, 1 << 20};
constexpr std::size_t kBlocks = std::size(kSizes);

void dirty_and_free(void* block) {
  memset(block, 0xa5, malloc_usable_size(block));
  free(block);
}

[[gnu::noinline]] void zeroed_blocks() {
  for (const std::size_t size : kSizes) {
    auto* block = static_cast<unsigned char*>(calloc(1, size));
    EXPECT(block != nullptr);
    for (std::size_t at = 0; at < size; ++at) EXPECT(block[at] == 0);
    dirty_and_free(block);
  }
}

// All live at once, each filled to what it can hold, then looked at.
[[gnu::noinline]] void usable_blocks() {
  void* blocks[kBlocks];
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(kSizes[i]);
    EXPECT(malloc_usable_size(blocks[i]) >= kSizes[i]);
    fill(blocks[i], malloc_usable_size(blocks[i]), static_cast<unsigned>(i));
  }
  for (std::size_t i = 0; i < kBlocks; ++i) {
    EXPECT(is_filled(blocks[i], malloc_usable_size(blocks[i]), static_cast<unsigned>(i)));
    dirty_and_free(blocks[i]);
  }
}

[[gnu::noinline]] void aligned_blocks() {
  for (const std::size_t alignment : {16u, 64u, 256u, 4096u, 65536u}) {
    void* block = nullptr;
    EXPECT(posix_memalign(&block, alignment, 5000) == 0 && is_aligned(block, alignment));
    dirty_and_free(block);
    const auto asked = static_cast<std::align_val_t>(alignment);
    block = operator new(3000, asked);
    EXPECT(is_aligned(block, alignment));
    memset(block, 0xa5, 3000);
    operator delete(block, asked);
  }
}

void ordinary_pass() {
  const Pass pass;
  zeroed_blocks();
  usable_blocks();
  aligned_blocks();
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  for (int round = 0; round < 30; ++round) {
    const ServedSince served;
    ordinary_pass();
    EXPECT(served.are(2 * kBlocks + 10));
  }
}
