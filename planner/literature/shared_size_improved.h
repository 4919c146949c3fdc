// shared-size-improved: Pisarchyk & Lee's "Greedy by Size Improved" for shared objects (see shared_objects.h).
//
// The bound is a sum of positional maxima, so buffers between two of these maxima count as equally large: they
// are a stage. Within a stage, size no longer decides. The next buffer is the one that leaves the shortest time
// in which the object it joins is idle, and of several the largest. A buffer that suits no object opens a new
// one, last in its stage.
//
//     positional maxima   9 > 6 > 2        stage 1: sizes 9, 8, 7     stage 2: 6 … 3     stage 3: 2, 1
//
// Cost O(m² log n) for a stage of m buffers, more when objects fill up. No guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kSharedSizeImproved;

}  // namespace memo::planner
