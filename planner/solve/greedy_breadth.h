// greedy-breadth: Pisarchyk & Lee's "Greedy by Breadth for Offset Calculation". The breadth of a moment is the
// sum of the bytes alive then. The moments with the most breadth choose first. At each moment, the buffers
// without a place choose by size, each the smallest gap that holds it (see placement.h).
//
// So every buffer has its turn at the broadest moment of its own life. The order is computed in this way, with
// one range-maximum query for each buffer. Cost O(n · (log n + gaps)). No guarantee.
#pragma once

#include <vector>

#include "planner/placing/strategy.h"
#include "planner/solve/greedy_size.h"

namespace memo::planner {

extern const Strategy kGreedyBreadth;

// Says which of two equally broad moments, and which of two equally large buffers of one moment, comes first.
// With the ties that are the default here, and with kLastBornFirst for whole objects, the strategies come to the
// heights that the paper reports (docs/strategies/tables.md).
struct BreadthTies {
  bool later_moment_first = true;
  SizeTies buffers;
};
inline constexpr BreadthTies kLastBornFirst = {.later_moment_first = true,
                                               .buffers = {.longer_first = false, .later_first = true}};

// Returns the order above: broadest moment, then largest buffer.
[[nodiscard]] std::vector<BufferIndex> breadth_order(const Problem& problem, BreadthTies ties = {});

}  // namespace memo::planner
