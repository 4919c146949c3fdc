// 64 KiB of static memory for allocations while the library itself is starting. Code of the C library that
// start-up calls makes them. It takes no block back; the blocks are few and live as long as the
// process.
#pragma once

#include <cstddef>

namespace memo::guest::startup_memory {

// Returns zeroed memory, or null with ENOMEM when that is used up. `alignment` is a power of two.
void* allocate(std::size_t size, std::size_t alignment);

bool owns(const void* pointer);

// Returns the size of a block that owns() knows.
std::size_t usable_size(const void* pointer);

}  // namespace memo::guest::startup_memory
