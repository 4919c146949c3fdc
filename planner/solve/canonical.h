// canonical: exact search on one thread, after MiniMalloc (Moffitt, ASPLOS 2023), with stronger pruning.
//
// Decides a capacity, or minimises where there is none. It runs greedy-size first, then dives, which a
// portfolio of one search cuts off and begins again (see canonical_search.h and portfolio.h). Given time, it
// proves its plan least, or that there is none. Takes mixed alignments and fixed offsets.
#pragma once

#include "planner/placing/strategy.h"
#include "planner/solve/rules.h"

namespace memo::planner {

extern const Strategy kCanonical;

// Solves under other rules, for tests and measurements.
[[nodiscard]] Outcome solve_canonical(const Problem& problem, const Limits& limits, const Rules& rules);

}  // namespace memo::planner
