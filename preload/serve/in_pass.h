// The hot half of serve mode, inlined into the exported functions: a pass's allocations from the arena, else from
// the heap.
#pragma once

#include <cstddef>

#include "preload/boundaries/boundary.h"
#include "preload/heap/heap.h"
#include "preload/route.h"
#include "runtime/arena.h"

namespace memo::guest {

inline bool in_pass() {
  return t_route == Route::kInPass;
}

// Null: the heap's turn. A pass that has ended meanwhile leaves a cursor that matches nothing.
[[gnu::always_inline]] inline void* allocate_from_plan(std::size_t size, std::size_t alignment,
                                                       CallSite site) {
  notice_ended_frames(site);
  return runtime::allocate_aligned(size, alignment, reinterpret_cast<std::uintptr_t>(site.address));
}

[[gnu::always_inline]] inline void* allocate_in_pass(std::size_t size, CallSite site) {
  void* block = allocate_from_plan(size, 1, site);
  return __builtin_expect(block != nullptr, 1) ? block : heap::allocate(size);
}

}  // namespace memo::guest
