// The hot half of serve mode, inlined into the exported functions: what a pass allocates as the plan foresees.
#pragma once

#include <cstddef>

#include "preload/boundaries/boundary.h"
#include "preload/dispatch/routed.h"
#include "preload/route/route.h"
#include "runtime/pass/arena.h"

namespace memo::guest {

inline bool in_pass() {
  return t_route == Route::kInPass;
}

// A block in the cell that the plan expects next. The route need not be looked at: only inside a served pass does the
// plan expect anything. Every cell is aligned to 64 bytes. False: *block is not written.
[[gnu::always_inline]] inline bool take_foreseen(std::size_t size, CallSite site, void** block) {
  if (frames_have_ended(site)) [[unlikely]]
    return false;
  return runtime::take_expected(size, reinterpret_cast<std::uintptr_t>(site.address), block);
}

// A block in the large slot that the plan expects next, or null.
void* allocate_foreseen_large(std::size_t size, std::size_t alignment, CallSite site);

// Everything else that an allocation off the plain heap can come to: a large slot, a search, the heap, the recorder.
// Returns what routed_allocate returns.
void* allocate_unforeseen(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);

// Off the plain heap, a block of memory that need not be zeroed.
[[gnu::always_inline]] inline void* allocate_off_heap(std::size_t size, std::size_t alignment,
                                                      AllocationKind kind, CallSite site) {
  void* block;
  if (alignment <= kGranule && take_foreseen(size, site, &block)) [[likely]]
    return block;
  return allocate_unforeseen(size, alignment, kind, site);
}

// Of a watched address.
void release_unforeseen(void* block, CallSite site);

// An end of a frame is not looked for: the next allocation does.
[[gnu::always_inline]] inline void release_watched(void* block, CallSite site) {
  if (!runtime::release_cell(block)) [[unlikely]]
    release_unforeseen(block, site);
}

}  // namespace memo::guest
