// The second names that glibc exports for the same functions. Programs that wrap malloc call these names to
// reach the allocator below their wrapper, so none of them may go through the program's own malloc.

#include "preload/symbols/entry.h"
#include "preload/symbols/entry_aligned.h"

using namespace memo::guest;

MEMO_EXPORT void* __libc_malloc(std::size_t size) {
  return enter_malloc(size, MEMO_CALL_SITE());
}

MEMO_EXPORT void* __libc_calloc(std::size_t count, std::size_t size) {
  return enter_calloc(count, size, MEMO_CALL_SITE());
}

MEMO_EXPORT void* __libc_realloc(void* old, std::size_t size) {
  return enter_realloc(old, size, MEMO_CALL_SITE());
}

MEMO_EXPORT void __libc_free(void* pointer) {
  enter_free(pointer, MEMO_CALL_SITE());
}

MEMO_EXPORT void* __libc_memalign(std::size_t alignment, std::size_t size) {
  return enter_memalign(alignment, size, MEMO_CALL_SITE());
}

MEMO_EXPORT void* __libc_valloc(std::size_t size) {
  return enter_memalign(memo::runtime::page_bytes(), size, MEMO_CALL_SITE());
}

MEMO_EXPORT void* __libc_pvalloc(std::size_t size) {
  return enter_pvalloc(size, MEMO_CALL_SITE());
}

MEMO_EXPORT int __posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  return enter_posix_memalign(out, alignment, size, MEMO_CALL_SITE());
}
