// The C library's heap in the place of jemalloc, for tests of parts of the injected library.
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "preload/heap/heap.h"

extern "C" {
// Size classes are multiples of 16 bytes.
std::size_t memo_je_nallocx(std::size_t size, int) {
  constexpr std::size_t kStep = 16;
  return size > PTRDIFF_MAX - kStep ? size : (size + kStep - 1) / kStep * kStep;
}
void* memo_je_malloc(std::size_t size) {
  return std::malloc(memo_je_nallocx(size, 0));
}
void* memo_je_calloc(std::size_t count, std::size_t size) {
  return std::calloc(1, memo_je_nallocx(count * size, 0));
}
void* memo_je_realloc(void* old, std::size_t size) {
  return std::realloc(old, memo_je_nallocx(size, 0));
}
void* memo_je_aligned_alloc(std::size_t alignment, std::size_t size) {
  void* block = nullptr;
  return posix_memalign(&block, alignment, memo_je_nallocx(size, 0)) == 0 ? block : nullptr;
}
void memo_je_free(void* pointer) {
  std::free(pointer);
}
std::size_t memo_je_malloc_usable_size(const void* pointer) {
  return malloc_usable_size(const_cast<void*>(pointer));
}
int memo_je_mallctl(const char*, void*, std::size_t*, void*, std::size_t) {
  return 1;
}
}
