// greedy-order: the greedy memory manager of Lee et al. It takes the buffers in the order of execution. Each
// gets, of the free objects (see shared_objects.h), the one whose size differs least, which grows if it is
// smaller; without a free object, a new one. When a buffer dies, its object is free again.
//
// Cost O(n log n) with one alignment. With several, it passes over free objects whose alignment does not go
// with the buffer's. No guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedyOrder;

}  // namespace memo::planner
