/* calloc zeroes memory that was used before. Blocks of every size are dirtied and freed, then asked for again
 * with calloc, in this thread and after a trim. Failure: a byte that is not zero. */
#include "hostile.h"

enum { kBlocks = 64 };

static void dirty_and_free(size_t size) {
  void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(size);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 0xa5, size);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

static void expect_zeroes(size_t size) {
  void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = i % 2 == 0 ? calloc(1, size) : calloc(size, 1);
    EXPECT(blocks[i] != NULL);
    for (size_t byte = 0; byte < size; ++byte) EXPECT(((unsigned char*)blocks[i])[byte] == 0);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

int main(void) {
  expect_right_allocator();
  for (size_t size = 1; size < (size_t)512 << 10; size = size * 3 + 1) {
    dirty_and_free(size);
    expect_zeroes(size);
    dirty_and_free(size);
    malloc_trim(0);
    expect_zeroes(size);
  }
  return 0;
}
