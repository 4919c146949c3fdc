/* A program with a malloc of its own, which counts and goes on to glibc's second names. The guest keeps out
 * of it, and those names must reach an allocator rather than come back to the program's malloc. The derived
 * functions (reallocarray, and what libraries allocate, here getline's buffer) go to the program's. Failure:
 * endless recursion, or a block that the program has not seen. */
#include "hostile.h"

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void __libc_free(void* block);

static volatile int calls; /* the compiler believes that library functions never call back here */

void* malloc(size_t size) {
  ++calls;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  ++calls;
  return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  ++calls;
  return __libc_realloc(old, size);
}

void free(void* block) {
  __libc_free(block);
}

static int calls_during(void* block) {
  const int made = calls;
  free(block);
  calls = 0;
  return made;
}

int main(void) {
  calls = 0;
  EXPECT(calls_during(malloc(10)) == 1);
  EXPECT(calls_during(calloc(10, 10)) == 1);
  EXPECT(calls_during(realloc(NULL, 10)) == 1);
  EXPECT(calls_during(reallocarray(NULL, 10, 10)) == 1);
  EXPECT(calls_during(strdup("text")) == 1);
  return 0;
}
