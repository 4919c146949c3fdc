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

}  // namespace memo::planner
