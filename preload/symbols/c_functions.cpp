// The allocation functions of C, malloc first. The library serves the basic functions itself. The derived ones
// (reallocarray, free_sized, cfree) jump to the *program's* realloc or free, as glibc's do, so that a program
// which replaces those gets its own blocks back. A jump leaves the caller's return address in place.

#include <stdlib.h>

#include "preload/symbols/entry.h"
#include "preload/symbols/entry_aligned.h"

using namespace memo::guest;

// malloc and free themselves are in hot_entries.S, and jump here when the plain heap cannot answer.
extern "C" {
void* memo_routed_malloc(std::size_t size) {
  return allocate_off_heap(size, kDefaultAlignment, AllocationKind::kMalloc, MEMO_CALL_SITE());
}

// memo_routed_free jumps here, so that the program's return address is read here and not on the hot path.
[[gnu::noinline]] static void free_unforeseen(void* pointer) {
  release_unforeseen(pointer, MEMO_CALL_SITE());
}

void memo_routed_free(void* pointer) {
  if (!memo::runtime::release_cell(pointer)) [[unlikely]]
    free_unforeseen(pointer);
}
}

MEMO_EXPORT void* calloc(std::size_t count, std::size_t size) {
  return enter_calloc(count, size, MEMO_CALL_SITE());
}

// realloc(p, 0) frees p and returns null, as glibc's does.
MEMO_EXPORT void* realloc(void* old, std::size_t size) {
  return enter_realloc(old, size, MEMO_CALL_SITE());
}

MEMO_EXPORT std::size_t malloc_usable_size(void* pointer) {
  return enter_usable_size(pointer);
}

MEMO_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  return enter_memalign(alignment, size, MEMO_CALL_SITE());
}

// Accepts a size that is no multiple of the alignment: C17 dropped that rule, and no C library enforced it.
MEMO_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return enter_memalign(alignment, size, MEMO_CALL_SITE());
}

MEMO_EXPORT int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  return enter_posix_memalign(out, alignment, size, MEMO_CALL_SITE());
}

MEMO_EXPORT void* valloc(std::size_t size) {
  return enter_memalign(memo::runtime::page_bytes(), size, MEMO_CALL_SITE());
}

MEMO_EXPORT void* pvalloc(std::size_t size) {
  return enter_pvalloc(size, MEMO_CALL_SITE());
}

MEMO_EXPORT void* reallocarray(void* old, std::size_t count, std::size_t size) {
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return fail_with(ENOMEM);
  return realloc(old, total);
}

// Ignores the sizes that C23 lets a program pass: a wrong one must not corrupt anything.
MEMO_EXPORT void free_sized(void* pointer, std::size_t) {
  free(pointer);
}
MEMO_EXPORT void free_aligned_sized(void* pointer, std::size_t, std::size_t) {
  free(pointer);
}
MEMO_EXPORT void cfree(void* pointer) {
  free(pointer);
}
