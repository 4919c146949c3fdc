/* glibc's second names for the same functions, and cfree and free_sized where the C library lacks them:
 * blocks may be made by one name and given back by the other. Failure: a name that is missing, or two heaps.
 */
#include "hostile.h"

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void* __libc_valloc(size_t size);
void* __libc_pvalloc(size_t size);
void __libc_free(void* block);

static void mixed_names(void) {
  free(__libc_malloc(100));
  __libc_free(malloc(100));
  free(__libc_realloc(malloc(10), 10000));
  __libc_free(realloc(__libc_calloc(10, 10), 10000));
  free(__libc_memalign(128, 10));
  __libc_free(__libc_valloc(10));
  __libc_free(__libc_pvalloc(10));
}

/* Only the injected library has these on every glibc. */
static void newer_and_older_names(void) {
  void (*free_sized)(void*, size_t) = (void (*)(void*, size_t))dlsym(RTLD_DEFAULT, "free_sized");
  void (*free_aligned_sized)(void*, size_t, size_t) =
      (void (*)(void*, size_t, size_t))dlsym(RTLD_DEFAULT, "free_aligned_sized");
  void (*cfree)(void*) = (void (*)(void*))dlsym(RTLD_DEFAULT, "cfree");
  int (*memalign_twin)(void**, size_t, size_t) =
      (int (*)(void**, size_t, size_t))dlsym(RTLD_DEFAULT, "__posix_memalign");
  EXPECT(free_sized != NULL && free_aligned_sized != NULL && cfree != NULL && memalign_twin != NULL);
  free_sized(malloc(100), 100);
  free_aligned_sized(aligned_alloc(64, 128), 64, 128);
  cfree(malloc(100));
  void* block = NULL;
  EXPECT(memalign_twin(&block, 64, 100) == 0);
  free(block);
}

int main(void) {
  expect_right_allocator();
  mixed_names();
  if (getenv("HOSTILE_INJECTED") != NULL) newer_and_older_names();
  return 0;
}
