// The bytes alive over time: steps, one for each moment at which something is born or dies.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct LiveStep {
  Time begin;  // it lasts until the next one begins
  Bytes live;
};

// The last step, if there is one, has nothing alive. O(n log n).
[[nodiscard]] std::vector<LiveStep> live_bytes(const Problem& problem);

}  // namespace memo::planner
