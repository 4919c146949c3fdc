// The backend's functions in mode profile: blocks of the heap, longer by a canary and known to the address
// table. After the recording has stopped they go on as in mode off, and take the tags off the pointers that the
// program still holds.
#pragma once

#include <cstddef>

#include "preload/route/route.h"

struct memo_allocation;

namespace memo::guest {

void* allocate_recorded(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);
void* reallocate_recorded(void* pointer, std::size_t size, CallSite site);
void release_recorded(void* pointer, CallSite site);
[[nodiscard]] std::size_t usable_size_recorded(const void* pointer);
bool identify_recorded(const void* inside, memo_allocation* out);

}  // namespace memo::guest
