// allocation-tree-improved: Inductor's tree (allocation_tree.h) without its two limits, and a squeeze.
//
// Inductor's TemporalSplit gives up where a buffer overlaps several of its children, and where no single stretch
// of a child has room. Here the children in the way are merged into one, with a stretch of its own for a gap that
// they have in common. A merged stretch is cut where no buffer lies across:
//
//     |  a  |  b  |        | a  |  b |        x overlaps a and b. Both are cut at the top of a, and x has
//     |     +-----+   ->   | x  |  x |        the stretch above.
//     +-----+     |        +----+----+
//
// The buffers enter by size and by breadth, under two rules for ties each, and the lowest plan is taken; Inductor's
// own tree is among them. The squeeze then drops each buffer onto those below. It is what gives the height, and its price is Inductor's
// merit: places are no longer sums of sizes.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kAllocationTreeImproved;

}  // namespace memo::planner
