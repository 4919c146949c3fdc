// greedy-execution: the greedy memory manager of Lee et al. as Pisarchyk & Lee measure it for offsets. It takes
// the buffers in the order of execution. Each goes to the lowest gap between the buffers that are alive.
//
// Cost O(n · (log n + gaps)). No guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedyExecution;

}  // namespace memo::planner
