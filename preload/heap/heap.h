// The fallback heap: jemalloc under private names (preload/heap/jemalloc.rename). Every function here is a
// direct jump into jemalloc. Zero sizes, null pointers and errno follow the rules of the C library unless a
// comment says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
void* memo_je_malloc(std::size_t size);
void* memo_je_calloc(std::size_t count, std::size_t size);
void* memo_je_realloc(void* old, std::size_t size);
void* memo_je_aligned_alloc(std::size_t alignment, std::size_t size);
int memo_je_posix_memalign(void** out, std::size_t alignment, std::size_t size);
void memo_je_free(void* pointer);
std::size_t memo_je_malloc_usable_size(const void* pointer);
std::size_t memo_je_nallocx(std::size_t size, int flags);
int memo_je_mallctl(const char* name, void* old, std::size_t* old_length, void* fresh,
                    std::size_t fresh_length);
void memo_je_malloc_stats_print(void (*write)(void*, const char*), void* context, const char* options);
}

namespace memo::guest::heap {

inline void* allocate(std::size_t size) {
  return memo_je_malloc(size);
}
inline void* allocate_zeroed(std::size_t size) {
  return memo_je_calloc(1, size);
}
inline void release(void* pointer) {
  memo_je_free(pointer);
}
inline std::size_t usable_size(const void* pointer) {
  return memo_je_malloc_usable_size(pointer);
}

// Returns the least usable size of a block of `size` bytes, which is not 0.
inline std::size_t size_class(std::size_t size) {
  return memo_je_nallocx(size, 0);
}

// `alignment` is a power of two.
inline void* allocate_aligned(std::size_t alignment, std::size_t size) {
  return memo_je_aligned_alloc(alignment, size);
}

// Returns null and sets errno to ENOMEM, for a realloc without memory: jemalloc 5.3.0 does not set errno
// there.
[[gnu::cold, gnu::noinline]] void* no_memory();

inline void* reallocate(void* old, std::size_t size) {
  void* fresh = memo_je_realloc(old, size);
  if (__builtin_expect(fresh != nullptr || size == 0, 1)) return fresh;
  return no_memory();
}

// Makes jemalloc keep fewer idle pages where little address space is left. Call this before start().
void suit_address_space();

// Starts jemalloc, with its fork handlers. Call this before any other code registers fork handlers: prepare
// handlers run last-in-first-out, so handlers that are registered later take their locks before jemalloc
// does.
void start();

// Returns one of jemalloc's figures, or 0 where jemalloc has none of that name. `name` is as for mallctl.
std::size_t figure(const char* name);

// Brings the figures up to date. Takes jemalloc's locks: for reports, not for serving paths.
void refresh_figures();

// Gives the calling thread's cache and every idle page back to the kernel.
void give_back_idle();

// Does the same, and returns how many bytes that were. Takes jemalloc's locks twice more.
std::uint64_t give_back_idle_and_count();

}  // namespace memo::guest::heap
