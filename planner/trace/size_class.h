// Decides which sizes count as the same from pass to pass. Small blocks often vary by a few bytes between runs
// (the text of a number, a short string), and a slot costs a multiple of a cache line anyway. Large blocks are
// tensors, whose exact size tells two shapes apart.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "planner/problem/problem.h"

namespace memo::planner {

inline constexpr Bytes kExactFrom = 1024;    // bytes: from here on each size is a class of its own
inline constexpr Bytes kSmallestClass = 64;  // bytes

// Returns the largest size of the class that holds `size`.
inline Bytes size_class(Bytes size) {
  if (size >= kExactFrom) return size;
  return static_cast<Bytes>(std::bit_ceil(static_cast<std::uint64_t>(std::max(size, kSmallestClass))));
}

// Returns the smallest size of a class, which is named by its largest.
inline Bytes least_of_class(Bytes size_class) {
  if (size_class > kExactFrom) return size_class;
  return size_class == kSmallestClass ? 0 : size_class / 2 + 1;
}

}  // namespace memo::planner
