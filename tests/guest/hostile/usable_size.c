/* malloc_usable_size is at least what was asked for, and all of it may be written: programs (Redis, RocksDB)
 * use the surplus. Failure: a smaller answer, or neighbours that lose bytes when every block is written to
 * its usable end. */
#include "hostile.h"

enum { kBlocks = 400 };

static void* allocate_somehow(int i, size_t size) {
  void* block = NULL;
  switch (i % 5) {
    case 0:
      return malloc(size);
    case 1:
      return calloc(1, size);
    case 2:
      return realloc(NULL, size);
    case 3:
      return memalign((size_t)16 << (i % 7), size);
    default:
      return posix_memalign(&block, 64, size) == 0 ? block : NULL;
  }
}

int main(void) {
  expect_right_allocator();
  void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    const size_t size = (size_t)(i * i * 3 % 70001 + i % 2);
    blocks[i] = allocate_somehow(i, size);
    EXPECT(blocks[i] != NULL);
    EXPECT(malloc_usable_size(blocks[i]) >= size);
    fill(blocks[i], malloc_usable_size(blocks[i]), (unsigned)i);
  }
  for (int i = 0; i < kBlocks; ++i) {
    EXPECT(is_filled(blocks[i], malloc_usable_size(blocks[i]), (unsigned)i));
    free(blocks[i]);
  }
  EXPECT(malloc_usable_size(NULL) == 0);
  return 0;
}
