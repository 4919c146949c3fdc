// The rules of the aligned functions, which their C names and their glibc names share.
#pragma once

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "preload/symbols/entry.h"
#include "runtime/formats/rounding.h"
#include "runtime/platform/pages.h"

namespace memo::guest {

inline void* fail_with(int error) {
  errno = error;
  return nullptr;
}

inline bool is_power_of_two(std::size_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// Like glibc's memalign, takes any alignment and rounds it up to a power of two.
[[gnu::always_inline]] inline void* enter_memalign(std::size_t alignment, std::size_t size, CallSite site) {
  constexpr std::size_t kGreatestAlignment = SIZE_MAX / 2 + 1;
  if (!is_power_of_two(alignment)) {
    if (alignment > kGreatestAlignment) return fail_with(EINVAL);
    alignment = std::bit_ceil(alignment);
  }
  return enter_aligned(alignment, size, AllocationKind::kAligned, site);
}

// Does what posix_memalign does: on error returns the error and leaves *out alone; keeps errno in any case.
// jemalloc's own function keeps these rules too. Stands apart from its entry, which saves no register so.
int off_heap_posix_memalign(void** out, std::size_t alignment, std::size_t size, CallSite site);

[[gnu::always_inline]] inline int enter_posix_memalign(void** out, std::size_t alignment, std::size_t size,
                                                       CallSite site) {
  if (on_plain_heap()) return memo_je_posix_memalign(out, alignment, size);
  return off_heap_posix_memalign(out, alignment, size, site);
}

[[gnu::always_inline]] inline void* enter_pvalloc(std::size_t size, CallSite site) {
  const std::size_t page = runtime::page_bytes();
  if (size > SIZE_MAX - page) return fail_with(ENOMEM);
  const std::size_t whole_pages = size == 0 ? page : runtime::round_up(size, page);
  return enter_aligned(page, whole_pages, AllocationKind::kAligned, site);
}

}  // namespace memo::guest
