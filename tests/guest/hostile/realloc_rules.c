/* realloc keeps what was there through growth and shrinkage over every size class, of plain and of aligned
 * blocks; realloc(NULL, n) allocates; realloc(p, 0) frees and returns null, as glibc's does; one that fails
 * leaves the block. Failure: a byte that changed, or a block lost. */
#include "hostile.h"

static void grow_and_shrink(void* block, size_t size) {
  fill(block, size, 1);
  const size_t steps[] = {size + 1, size * 2, size * 9, size * 3, size, size / 2 + 1, 1};
  size_t kept = size;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    block = realloc(block, steps[i]);
    EXPECT(block != NULL);
    kept = kept < steps[i] ? kept : steps[i];
    EXPECT(is_filled(block, kept, 1));
    fill(block, steps[i], 1);
    kept = steps[i];
  }
  free(block);
}

static void grow_by_steps(void) {
  char* text = NULL;
  for (size_t length = 1; length < 200000; length += length / 16 + 1) {
    text = realloc(text, length);
    EXPECT(text != NULL);
    text[length - 1] = (char)length;
    EXPECT(length < 2 || is_aligned(text, 8));
  }
  free(text);
}

static void zero_frees(void) {
  void* block = malloc(100);
  EXPECT(realloc(block, 0) == NULL);
  void* nothing = realloc(NULL, 0);
  EXPECT(nothing != NULL);
  free(nothing);
}

static void failure_leaves_the_block(void) {
  char* block = malloc(100);
  fill(block, 100, 9);
  EXPECT(realloc(block, (size_t)PTRDIFF_MAX + 1) == NULL);
  EXPECT(reallocarray(block, SIZE_MAX, 2) == NULL);
  EXPECT(is_filled(block, 100, 9));
  free(block);
}

int main(void) {
  expect_right_allocator();
  for (size_t size = 1; size <= (size_t)8 << 20; size = size * 2 + 3) {
    grow_and_shrink(malloc(size), size);
    grow_and_shrink(memalign(256, size), size);
    grow_and_shrink(reallocarray(NULL, 1, size), size);
  }
  grow_by_steps();
  zero_frees();
  failure_leaves_the_block();
  return 0;
}
