// boxing: idealloc's way of making orders for first fit. Buffers are boxed (boxes.h), the boxes stacked, and the
// buffers dropped by first fit in the order of the offsets they have there; then once more with other random
// moments, for as many lives as the limits allow. Scales to tens of thousands of buffers.
//
//      buffers ──> boxes of boxes ──> stack ──> order by loose offset ──> first fit ──> keep the lowest plan
//                     ^  random moments                                      │ gives up above the best so far
//                     └──────────────────────── next life ───────────────────┘
//
// Starts from first fit by size and by birth (optimal if all sizes are equal), so it is never higher than
// those. A node is the placement of one buffer; a life counts as n. Without limits
// it has 12 lives, or as many as 100,000 nodes allow.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kBoxing;

}  // namespace memo::planner
