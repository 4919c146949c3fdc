// More lanes of the plan in force, for a pass that finds none, and for those after one whose lane is full of older blocks. No
// pass waits for the lock of the plans here.
#pragma once

#include "runtime/slab/lane.h"

namespace memo::runtime {

// Adds another lane of the plan that serves, without memory yet. Returns false if there are enough lanes of its
// kind, or if another thread changes the plans at this moment.
[[nodiscard]] bool add_lane_on_demand(LaneFor use);

// Adds another lane in place of one whose cells are held by blocks that outlived their passes; that one is used
// again when it is empty. Returns false if there are enough lanes.
[[nodiscard]] bool substitute_lane(const Lane& worn);

}  // namespace memo::runtime
