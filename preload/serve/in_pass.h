// The hot half of serve mode, inlined into the exported functions: a pass's allocations from the arena, else from
// the heap.
#pragma once

#include <cstddef>

#include "preload/boundaries/boundary.h"
#include "preload/route.h"
#include "runtime/arena.h"

namespace memo::guest {

inline bool in_pass() {
  return t_route == Route::kInPass;
}

// Any way an allocation can go in a pass, and after it.
void* allocate_in_pass_slowly(std::size_t size, CallSite site);

// About 42 instructions from the program's call to its return, when the expected slot is served.
[[gnu::always_inline]] inline void* allocate_in_pass(std::size_t size, CallSite site) {
  void* block;
  if (!frames_have_ended(site) &&
      runtime::take_expected(size, reinterpret_cast<std::uintptr_t>(site.address), &block)) {
    return block;
  }
  return allocate_in_pass_slowly(size, site);
}

}  // namespace memo::guest
