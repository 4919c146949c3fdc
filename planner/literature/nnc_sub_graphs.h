// nnc-sub-graphs: the recursion of NNC's page. A sub-graph is planned once, and its buffer is a tensor of the graph around it.
//
//   calls     |  b   c |      |  b   c |             |  S1    |      |  S2    |      one layout of b and c for both calls, one block
//             |  d     |  a   |  d     |      ->     |        |  a   |        |      for each
//
// The parts that a problem repeats (sub_graphs.h) are its sub-graphs, and may have sub-graphs themselves. Each level is planned as
// nnc-page plans, and squeezed. A block keeps all its bytes for the whole call, also those that its buffers leave idle. So no plan is
// expected to be lower than nnc-page's, but planning takes fewer buffers at a time. Cost O(n^3) at worst, if nothing is repeated.
// No guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kNncSubGraphs;

}  // namespace memo::planner
