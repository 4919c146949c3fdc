// telamalloc: after Maas et al. (ASPLOS 2023), whose code is not public: heuristics choose, constraints check,
// and a failure returns to a decision that had a part in it.
//
//      live bytes                      Phases are stretches of high contention, the highest first. In a phase the
//        ^    1 1                      next buffer is the longest-lived, the largest, or the one of largest area
//        |   2 1 1 2   3               (size times life), at the lowest offset its placed neighbours leave. That
//        | 4 2 1 1 2 4 3 3 4           offset is kept for every unplaced buffer: when one no longer fits below the
//        +-------------------> time    capacity, the placement is taken back at once.
//
// With all three choices used up, the search undoes decisions down to one whose buffer overlaps the failed one,
// which then goes first there. A decision returned to too often is given up as well. So failing proves nothing.
//
// It finds heights by bisection between the lower bound and the best plan. The patience for each probe (nodes,
// and returns to one decision) doubles from round to round. A node is one step, or one lowest offset computed
// anew; without limits there are 500,000 nodes.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kTelamalloc;

}  // namespace memo::planner
