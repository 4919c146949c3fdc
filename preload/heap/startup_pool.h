// A few pages of static memory for whatever is allocated while the library itself is starting: code of the C
// library that start-up calls. Nothing is ever given back; the blocks are few and live as long as the
// process.
#pragma once

#include <cstddef>

namespace memo::guest::startup_pool {

// Zeroed memory, or null with ENOMEM when the pool is used up. `alignment` is a power of two.
void* allocate(std::size_t size, std::size_t alignment);

bool owns(const void* pointer);

// Of a block that owns() knows.
std::size_t usable_size(const void* pointer);

}  // namespace memo::guest::startup_pool
