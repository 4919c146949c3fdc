// greedy-breadth: Pisarchyk & Lee's "Greedy by Breadth for Offset Calculation". The breadth of a moment is what is
// alive then. The moments with the most breadth choose first; at each, the buffers that have no place yet choose by
// size, each the smallest gap that holds it (see placement.h).
//
// So every buffer has its turn at the broadest moment of its own life, which is how the order is computed: one
// range-maximum query a buffer. Cost O(n · (log n + gaps)). No guarantee.
#pragma once

#include <vector>

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedyBreadth;

// The order above: broadest moment, earlier moment, larger size, longer life, index.
[[nodiscard]] std::vector<BufferIndex> breadth_order(const Problem& problem);

}  // namespace memo::planner
