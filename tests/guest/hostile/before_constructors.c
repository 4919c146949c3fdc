/* Allocation before any constructor has run, and after the last destructor. The loader calls .preinit_array
 * before the constructors of every library, the allocator's included; a handler of atexit registered there
 * runs among the last. Failure: a crash at start or end, or a block that does not keep its bytes from the one
 * to the other. */
#include "hostile.h"

static void* kept[3];

static void free_late(void) {
  for (int i = 0; i < 3; ++i) {
    EXPECT(is_filled(kept[i], 100 << (i * 6), (unsigned)i));
    free(kept[i]);
  }
  void* late = malloc(1000);
  EXPECT(late != NULL);
  free(late);
}

static void allocate_early(void) {
  for (int i = 0; i < 3; ++i) {
    const size_t size = (size_t)100 << (i * 6);
    kept[i] = malloc(size);
    EXPECT(kept[i] != NULL);
    fill(kept[i], size, (unsigned)i);
  }
  EXPECT(atexit(free_late) == 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = allocate_early;

__attribute__((constructor(101))) static void grow_in_constructor(void) {
  kept[0] = realloc(kept[0], 200);
  EXPECT(is_filled(kept[0], 100, 0));
}

__attribute__((destructor(101))) static void allocate_in_destructor(void) {
  free(malloc(64));
}

int main(void) {
  expect_right_allocator();
  return 0;
}
