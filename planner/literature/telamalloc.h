// telamalloc: after Maas et al. (ASPLOS 2023), whose code is not public: heuristics choose, constraints check,
// and a failure returns to a decision that had a part in it.
//
//      live bytes                      Phases are stretches of high contention, the highest first. In a phase the
//        ^    1 1                      next buffer is the longest-lived, the largest, or the one of largest area
//        |   2 1 1 2   3               (size times life), at the lowest offset its placed neighbours leave. That
//        | 4 2 1 1 2 4 3 3 4           offset is kept for every unplaced buffer: when one no longer fits below the
//        +-------------------> time    capacity, the placement is taken back at once.
//
// A constraint solver of its own keeps the offsets: for every buffer the least and the greatest one, and for two that
// live together which lies below the other, as far as the bounds leave one order only (tela_bounds.h). The paper uses
// CP-SAT, which also learns from failures; this one only says which placements had a part in a failure.
//
// With all three choices used up, the search undoes decisions down to one of those, and the failed buffer goes first
// there. Which one, a learned model says: a logistic regression over nine figures of the decision, where the paper
// trains gradient-boosted trees (tela_returns.h). A decision returned to too often is given up as well. So failing
// proves nothing. Where the model's search has come to its end and limits are left, a second search returns to the
// latest of the decisions.
//
// It finds heights by bisection between the lower bound and the best plan. The patience for each probe (nodes,
// and returns to one decision) doubles from round to round. A node is one step, or one bound that moved; without
// limits there are 500,000 nodes.
#pragma once

#include "planner/literature/tela_search.h"
#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kTelamalloc;

// Solves with parts of it left out, for tests and measurements.
[[nodiscard]] Outcome solve_telamalloc(const Problem& problem, const Limits& limits, const TelaRules& rules);

}  // namespace memo::planner
