// reuse: PyTorch's memory_plan_reuse. In the order of execution a buffer takes a dead buffer's place if size and
// alignment are exactly its own, the one that died last (it is likeliest to be in the cache); else it opens a new
// place at the end of the slab.
//
// Cost O(n log n). No guarantee: sizes that never come back never share.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kReuse;

}  // namespace memo::planner
