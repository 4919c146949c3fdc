// Lists: cells for what the iterations of a loop gather, as the outputs of a recurrent network.
//
//   iteration   0: a--------------------.     Each iteration's a lives to the end of the loop. Its list has a cell for
//               1:     a----------------|     each iteration of the longest run seen. A pass takes them one after the
//               2:         a------------'     other; of a longer one, the last blocks go to the heap.
//
// A list belongs to one slot of one variant. Blocks that others left behind would hold cells that it shared with them. Only
// what grows alike in one loop shares a list, which is called a pool then (growth.h).
#pragma once

#include <span>

#include "planner/steps/variants.h"

namespace memo::planner {

// Leaves to the heap what gets no list of those that ask for one. All lists but the shared pools take at most as much together as the
// largest variant needs for all else, or kListsMayTake if that is more. Such pools take less than the heap would.
void leave_lists_out(std::span<Variant> variants);

// Returns the bytes of each cell of the list.
[[nodiscard]] std::uint64_t list_cell_bytes(const Demand& demand);

}  // namespace memo::planner
