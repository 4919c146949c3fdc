// The backend's functions in mode serve: allocations that come as the plan does not expect them, and those outside of
// passes. in_pass.h has the hot half.
#pragma once

#include <cstddef>

#include "preload/route/route.h"

namespace memo::guest {

// Allocates for a thread whose ended frames were noticed, and whose expected slot nobody has tried.
void* allocate_serving(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);
void* reallocate_serving(void* old, std::size_t size, CallSite site);
void release_serving(void* block, CallSite site);
[[nodiscard]] std::size_t usable_size_serving(const void* block);

}  // namespace memo::guest
