// Checks whether a plan is valid, without a line of the code that makes plans. The two checkers share the rules
// for single buffers and nothing else, and each is short enough to read at once.
//
// A plan is valid when every buffer has one offset, at least 0, a multiple of the buffer's alignment, at the
// fixed place if there is one, with its end within the capacity, and no two buffers alive at the same moment
// share a byte.
#pragma once

#include <string>
#include <string_view>

#include "planner/problem/problem.h"

namespace memo::planner {

// Every way in which a plan can be wrong, in the order in which the checkers look for it.
enum class Fault {
  kValid,
  kWrongCount,      // not one offset for each buffer
  kNegativeOffset,  // starts below the slab
  kOverflow,        // its end is no representable address
  kMisaligned,      // no multiple of the buffer's alignment
  kFixedMoved,      // not where the problem fixed it
  kOverCapacity,    // ends above the capacity
  kOverlap,         // shares a byte with another buffer that is alive at the same moment
};
[[nodiscard]] std::string_view to_string(Fault fault);

struct Verdict {
  Fault fault = Fault::kValid;
  std::string sentence;  // names the buffers by index and gives the offending values; empty for a valid plan
  [[nodiscard]] bool valid() const { return fault == Fault::kValid; }
};

// Sweeps over time and keeps the live buffers in the order of their offsets. O(n log n).
[[nodiscard]] Verdict check_by_sweep(const Problem& problem, const Offsets& offsets);

// Compares every pair of buffers. O(n²). Where the two checkers disagree, this one is right.
[[nodiscard]] Verdict check_by_pairs(const Problem& problem, const Offsets& offsets);

}  // namespace memo::planner
