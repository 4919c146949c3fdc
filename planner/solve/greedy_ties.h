// greedy-ties: the greedy strategies under every rule for ties, and the lowest of the plans.
//
// Networks have tensors of few sizes, so the papers' strategies meet ties at every step, and the papers do not
// say how they break them. On one network the rule decides between the bound and a third above it, and no rule
// is best everywhere. Trying them all costs microseconds each.
//
// It begins with greedy-size, strip-packing, greedy-breadth and greedy-execution as they are. Then come their
// other ties. The sweep ends at a plan as low as the bound, or after some 100,000 placements, so that a very
// large problem costs one run. Cost: at most 18 runs of greedy-size and 2 of strip-packing.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedyTies;

// Leaves out greedy-size and strip-packing, for `auto`, which runs these first.
extern const Strategy kOtherTies;

}  // namespace memo::planner
