// greedy-order: the greedy memory manager of Lee et al. Buffers in the order of execution: of the objects that are
// free (see shared_objects.h) each takes the one whose size differs least, which grows if it is smaller, else a new
// one; when a buffer dies its object is free again.
//
// Cost O(n log n) with one alignment; with several, free objects of an alignment that does not go with the buffer's
// are passed over. No guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedyOrder;

}  // namespace memo::planner
