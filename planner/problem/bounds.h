// What no plan can beat, and how large a problem may be before its arithmetic stops being exact.
#pragma once

#include <string>

#include "planner/problem/problem.h"

namespace memo::planner {

// The best bound that a sweep can prove: the peak of live bytes with the padding that alignment forces
// between buffers, and the ends of the buffers whose place is fixed. At least peak_live_bytes(). O(n log n).
[[nodiscard]] Bytes lower_bound(const Problem& problem);

// One sentence naming the first buffer that makes the problem meaningless (an empty lifetime, a size or an
// alignment below 1, a fixed place that is negative or misaligned) or its sums too large for exact
// arithmetic; empty for a sound problem. Strategies rely on soundness.
[[nodiscard]] std::string unsound(const Problem& problem);

[[nodiscard]] constexpr Offset align_up(Offset offset, Bytes alignment) {
  return alignment == 1 ? offset : (offset + alignment - 1) / alignment * alignment;
}

}  // namespace memo::planner
