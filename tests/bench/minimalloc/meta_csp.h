// The meta-CSP baseline of MiniMalloc's section 8: relative placement, after Moffitt and Pollack. A variable is a pair
// of buffers that live together, its values are "the one below" and "the other below". A matrix holds for each two
// buffers the least distance of their offsets that the decisions force, so a value is possible if it makes no cycle.
//
//   node: decide a pair (the largest first; of its values first the one with more room)
//         ├── every pair that has one value left takes it, a pair with none ends the branch
//         └── a pair whose distance is forced already is no variable any more (subsumed)
//
// The values of a pair exclude each other, so no branch repeats another.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::bench {

[[nodiscard]] planner::Outcome solve_meta_csp(const planner::Problem& problem, const planner::Limits& limits);

}  // namespace memo::bench
