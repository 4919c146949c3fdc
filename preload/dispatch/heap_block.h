// Handles blocks of the heap, for every mode in the same way.
#pragma once

#include <cstddef>
#include <cstring>

#include "preload/heap/heap.h"
#include "preload/route/route.h"

namespace memo::guest {

inline void* allocate_from_heap(std::size_t size, std::size_t alignment, AllocationKind kind) {
  if (kind == AllocationKind::kCalloc) return heap::allocate_zeroed(size);
  if (kind == AllocationKind::kAligned || alignment > kDefaultAlignment) {
    return heap::allocate_aligned(alignment, size);
  }
  return heap::allocate(size);
}

// Copies what a block of `held` bytes and its successor of `size` bytes have in common. Returns the successor.
inline void* move_content(void* fresh, const void* old, std::size_t held, std::size_t size) {
  return std::memcpy(fresh, old, held < size ? held : size);
}

}  // namespace memo::guest
