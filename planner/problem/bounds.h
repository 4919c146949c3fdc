// Computes heights that no plan can be below.
#pragma once

#include "planner/problem/problem.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {

// Returns the best bound that a sweep can prove: the peak of live bytes with the padding that alignment forces
// between buffers, and the ends of the buffers whose place is fixed. At least peak_live_bytes(). O(n log n).
[[nodiscard]] Bytes lower_bound(const Problem& problem);

// Returns the first multiple of the alignment that is not below the offset, which is no negative number.
[[nodiscard]] constexpr Offset align_up(Offset offset, Bytes alignment) {
  return alignment == 1 ? offset
                        : static_cast<Offset>(runtime::round_up(static_cast<std::uint64_t>(offset),
                                                                static_cast<std::uint64_t>(alignment)));
}

}  // namespace memo::planner
