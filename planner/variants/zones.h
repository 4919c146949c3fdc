// Decides which planned blocks lie in cells and which among the large slots, for all variants of a plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/problem/problem.h"
#include "planner/variants/selection.h"
#include "planner/variants/small_cells.h"

namespace memo::planner {

// The cells of all variants, and which slots have one. Variants never share a lane at one moment, so their time
// lines are laid one after the other.
struct CellAssignment {
  SmallCells cells;
  std::vector<std::vector<std::uint32_t>> small_slots;  // by variant, in the order of cells.cell_of
};

// Notes in each selection what is left to the heap where a variant has more blocks that no cell can hold than it may have large slots:
// the smallest of them. Libraries ask for many blocks that are aligned to pages.
void note_surplus(std::span<Selection> selections);

// Returns the greatest limit with a slab about as low as the lowest that any limit gives: smaller blocks go to
// cells. In bytes.
[[nodiscard]] Bytes choose_small_limit(std::span<const Selection> selections);

// Leaves out the lists, whose cells come after all others.
[[nodiscard]] CellAssignment assign_cells(std::span<const Selection> selections, Bytes limit);

// Returns the problem of the large slots, and which these are. Every place in it is a multiple of the arena's
// granule.
[[nodiscard]] Problem large_problem(const Selection& selection, Bytes limit,
                                    std::vector<std::uint32_t>& slots);

[[nodiscard]] Bytes total_of(std::span<const std::uint64_t> cells);

}  // namespace memo::planner
