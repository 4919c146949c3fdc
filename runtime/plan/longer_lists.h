// Lists for loops that run longer than any that was profiled.
//
//   cells    | small | list a | list b |         of the plan before
//   cells    | small | list a ........ | list b ........ |       of the one after it: twice as many, at most as many as
//                                                                all lists may take
//
// A pass that finds a list used up wants it longer, as one that finds a slot too small wants it larger (growth.h). It says so at
// its end, and the next has the longer lists.
#pragma once

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

// Returns true if all lists of the plan may have twice the cells.
[[nodiscard]] bool has_room_for_longer_lists(const LoadedPlan& plan);

// Copies the plan's file. In the copy the lists have twice the cells in each variant whose passes want that. Returns false if there
// is no memory.
[[nodiscard]] bool copy_with_longer_lists(LoadedPlan& plan, PlanFile* copy);

}  // namespace memo::runtime
