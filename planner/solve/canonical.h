// canonical: exact search on one thread, after MiniMalloc (Moffitt, ASPLOS 2023), with stronger pruning.
//
// Decides a capacity, or minimises without one: greedy-size first, then dives that a portfolio of one lane cuts off and
// begins again (see canonical_search.h and portfolio.h). Given time it proves what it finds, or that there is nothing
// to find. Takes mixed alignments and fixed offsets.
#pragma once

#include "planner/placing/strategy.h"
#include "planner/solve/rules.h"

namespace memo::planner {

extern const Strategy kCanonical;

// The same under other rules, for tests and measurements.
[[nodiscard]] Outcome solve_canonical(const Problem& problem, const Limits& limits, const Rules& rules);

}  // namespace memo::planner
