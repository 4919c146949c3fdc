// boxing: idealloc's way to make orders for first fit. It boxes the buffers (boxes.h), stacks the boxes, and
// places the buffers by first fit in the order of their offsets there. Then it begins a new life with other
// random moments, for as many lives as the limits allow. Scales to tens of thousands of buffers.
//
//      buffers ──> boxes of boxes ──> stack ──> order by loose offset ──> first fit ──> keep the lowest plan
//                     ^  random moments                                      │ gives up above the best so far
//                     └──────────────────────── next life ───────────────────┘
//
// Starts from first fit by size and by birth (optimal if all sizes are equal), so the plan is never higher than
// theirs. A node is the placement of one buffer; a life counts as n nodes. Without limits it has 12 lives, or
// as many as 100,000 nodes allow.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kBoxing;

}  // namespace memo::planner
