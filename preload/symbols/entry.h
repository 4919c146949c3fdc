// The hot halves of the exported functions. The compiler inlines them all: a load, a compare and a jump in
// front of jemalloc. `site` costs nothing unless the call takes the cold half.
#pragma once

#include <cstddef>

#include "preload/dispatch/off_heap.h"
#include "preload/dispatch/routed.h"
#include "preload/heap/heap.h"
#include "preload/route/route.h"

#define MEMO_EXPORT extern "C" __attribute__((visibility("default")))

namespace memo::guest {

[[gnu::always_inline]] inline void* enter_malloc(std::size_t size, CallSite site) {
  if (on_plain_heap()) return heap::allocate(size);
  return allocate_off_heap(size, kDefaultAlignment, AllocationKind::kMalloc, site);
}

[[gnu::always_inline]] inline void* enter_new(std::size_t size, CallSite site) {
  if (on_plain_heap()) return heap::allocate(size);
  return allocate_off_heap(size, kDefaultAlignment, AllocationKind::kNew, site);
}

// Returns null with ENOMEM if the product does not fit.
[[gnu::always_inline]] inline void* enter_calloc(std::size_t count, std::size_t size, CallSite site) {
  if (on_plain_heap()) return memo_je_calloc(count, size);
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) total = SIZE_MAX;
  return routed_allocate(total, kDefaultAlignment, AllocationKind::kCalloc, site);
}

// `alignment` is a power of two.
[[gnu::always_inline]] inline void* enter_aligned(std::size_t alignment, std::size_t size,
                                                  AllocationKind kind, CallSite site) {
  if (on_plain_heap()) return heap::allocate_aligned(alignment, size);
  return allocate_off_heap(size, alignment, kind, site);
}

[[gnu::always_inline]] inline void* enter_realloc(void* old, std::size_t size, CallSite site) {
  if (on_plain_heap() && !is_watched(old)) return heap::reallocate(old, size);
  return routed_reallocate(old, size, site);
}

[[gnu::always_inline]] inline void enter_free(void* pointer, CallSite site) {
  if (!is_watched(pointer)) return heap::release(pointer);
  release_watched(pointer, site);
}

[[gnu::always_inline]] inline std::size_t enter_usable_size(const void* pointer) {
  if (!is_watched(pointer)) return heap::usable_size(pointer);
  return routed_usable_size(pointer);
}

}  // namespace memo::guest
