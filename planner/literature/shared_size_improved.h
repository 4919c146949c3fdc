// shared-size-improved: Pisarchyk & Lee's "Greedy by Size Improved" for shared objects (see shared_objects.h).
//
// The bound is a sum of positional maxima. Buffers as large as one of these maxima are a stage, and buffers
// between two maxima count as equally large: they are a stage too. Within a stage, size no longer decides. The
// next buffer is the one that leaves the shortest time in which the object it joins is idle, and of several the
// largest. A buffer that suits no object opens a new one, last in its stage.
//
//     positional maxima   9 > 6 > 2        stages:  9   8 7   6   5 4 3   2   1
//
// The paper found no network on which this was worse than by size. Here that is certain: where the stages end
// higher, the plan is that of shared-size.
//
// Cost O(m² log n) for a stage of m buffers, more when objects fill up.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kSharedSizeImproved;

}  // namespace memo::planner
