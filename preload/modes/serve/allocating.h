// The backend's functions in mode serve. Most allocations of a pass do not come here (preload/dispatch/off_heap.h).
#pragma once

#include <cstddef>

#include "preload/route/route.h"
#include "runtime/pass/arena.h"

namespace memo::guest {

// Allocates for a thread after its ended frames were noticed, and before its expected slot is tried.
void* allocate_serving(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);

// Opens or ends what the boundary says, and asks the arena once more.
void* allocate_across(runtime::Boundary boundary, std::size_t size, std::size_t alignment,
                      AllocationKind kind, CallSite site);

void* reallocate_serving(void* old, std::size_t size, CallSite site);
void release_serving(void* block, CallSite site);
[[nodiscard]] std::size_t usable_size_serving(const void* block);

}  // namespace memo::guest
