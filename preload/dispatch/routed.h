// The part of the allocation functions that runs where the plain heap alone is not enough: it settles a new
// thread, notices frames that have ended, and calls the backend of the mode.
#pragma once

#include <cstddef>

#include "preload/route/route.h"

namespace memo::guest {

// All functions return what the C functions return, and leave errno as those do. Memory for kCalloc is
// zeroed.
void* routed_allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);
void* routed_reallocate(void* old, std::size_t size, CallSite site);
void routed_release(void* pointer, CallSite site);
std::size_t routed_usable_size(const void* pointer);

}  // namespace memo::guest
