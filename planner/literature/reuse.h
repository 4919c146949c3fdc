// reuse: PyTorch's memory_plan_reuse. In the order of execution, a buffer takes the place of a dead buffer with
// exactly its size and alignment: the one that died last, which is the likeliest to be in the cache. Otherwise
// it opens a new place at the end of the slab.
//
// Cost O(n log n). No guarantee: sizes that occur only once never share.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kReuse;

}  // namespace memo::planner
