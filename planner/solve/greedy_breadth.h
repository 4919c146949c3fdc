// greedy-breadth: Pisarchyk & Lee's "Greedy by Breadth for Offset Calculation". The breadth of a moment is the
// sum of the bytes alive then. The moments with the most breadth choose first. At each moment, the buffers
// without a place choose by size, each the smallest gap that holds it (see placement.h).
//
// So every buffer has its turn at the broadest moment of its own life. The order is computed in this way, with
// one range-maximum query for each buffer. Cost O(n · (log n + gaps)). No guarantee.
#pragma once

#include <vector>

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedyBreadth;

// Returns the order above: broadest moment, earlier moment, larger size, longer life, index.
[[nodiscard]] std::vector<BufferIndex> breadth_order(const Problem& problem);

}  // namespace memo::planner
