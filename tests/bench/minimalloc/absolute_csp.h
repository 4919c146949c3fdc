// The CSP baseline of MiniMalloc's section 8: absolute placement, after Korf's optimal rectangle packing. A variable is
// a buffer's offset, its domain every offset from 0 to the capacity less the buffer's size. A depth-first search gives
// them values, the largest area first. Forward checking drops a value that leaves some other buffer without any.
//
// The number of values of a buffer is what breaks it: the method was made for boxes of a few dozen units.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::bench {

[[nodiscard]] planner::Outcome solve_absolute_csp(const planner::Problem& problem,
                                                  const planner::Limits& limits);

}  // namespace memo::bench
