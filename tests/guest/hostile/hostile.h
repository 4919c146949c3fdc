/* What the hostile programs share. Each is an ordinary program that says nothing and returns 0 when the
 * allocator beneath it behaves; it runs twice, once on the C library (so that what it expects is really what
 * programs rely on) and once under the injected library. */
#ifndef MEMOMALLOC_TESTS_HOSTILE_H
#define MEMOMALLOC_TESTS_HOSTILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes without allocating, since the allocator is what is on trial. */
static inline void expect_failed(const char* file, int line, const char* what) {
  char text[512];
  const int length = snprintf(text, sizeof text, "%s:%d: not so: %s (errno %d)\n", file, line, what, errno);
  if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(3);
  _exit(1);
}

#define EXPECT(condition) ((condition) ? (void)0 : expect_failed(__FILE__, __LINE__, #condition))

/* A test of the injected library must not pass because nothing was injected. The environment says which run
 * this is. */
static inline void expect_right_allocator(void) {
  Dl_info info;
  const char* injected = getenv("HOSTILE_INJECTED");
  EXPECT(dladdr(dlsym(RTLD_DEFAULT, "malloc"), &info) != 0);
  EXPECT((strstr(info.dli_fname, "libmemomalloc") != NULL) == (injected != NULL));
}

/* Every byte gets a value that depends on its place, so that overlapping blocks show. */
static inline void fill(void* block, size_t size, unsigned seed) {
  unsigned char* bytes = (unsigned char*)block;
  for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)(seed + i * 7);
}

static inline int is_filled(const void* block, size_t size, unsigned seed) {
  const unsigned char* bytes = (const unsigned char*)block;
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] != (unsigned char)(seed + i * 7)) return 0;
  }
  return 1;
}

static inline int is_aligned(const void* block, size_t alignment) {
  return ((uintptr_t)block & (alignment - 1)) == 0;
}

#endif
