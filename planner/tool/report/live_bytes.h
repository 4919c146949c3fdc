// Counts the live bytes over time, in steps: one for each moment at which a buffer is allocated or freed.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct LiveStep {
  Time begin;  // the step lasts until the next one begins
  Bytes live;
};

// Returns the steps. No byte is alive in the last one, if there are steps. O(n log n).
[[nodiscard]] std::vector<LiveStep> live_bytes(const Problem& problem);

// Shows why a plan cannot be lower: the moment with the most live bytes, and the buffers alive then. The
// lifetimes of those buffers overlap each other, so they lie one above the other in every plan: a tight clique.
struct Peak {
  Lifetime during;                   // the first period with that peak
  Bytes bytes = 0;                   // bytes alive during that period
  std::vector<BufferIndex> buffers;  // the clique, largest first
  Bytes elsewhere = 0;               // the peak of all other times
};

// Finds the peak. O(n log n).
[[nodiscard]] Peak peak_of(const Problem& problem);

}  // namespace memo::planner
