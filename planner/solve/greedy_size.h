// greedy-size: Pisarchyk & Lee's "Greedy by Size for Offset Calculation". Large buffers are hard to place, so
// they choose first; each goes into the smallest gap that holds it (see placement.h).
//
// Order: size, largest first; then longer lifetime, earlier birth, index. Cost O(n · (log n + gaps)). No
// guarantee, yet on the passes of neural networks it is rarely more than a few percent over the bound.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedySize;

// Returns the order above, from which several other strategies start.
[[nodiscard]] std::vector<BufferIndex> size_order(const Problem& problem);

}  // namespace memo::planner
