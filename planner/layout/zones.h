// Decides which planned blocks lie in cells and which among the large slots, for all variants of a plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/layout/small_cells.h"
#include "planner/problem/problem.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// The cells of all variants, and which slots have one. Variants never share a lane at one moment, so their time
// lines are laid one after the other.
struct CellAssignment {
  SmallCells cells;
  std::vector<std::vector<std::uint32_t>> small_slots;  // by variant, in the order of cells.cell_of
};

// The blocks of a variant that no cell holds. What a run of them needs is one buffer: blocks of one size, each freed before the next is
// asked for, with no other large block between them. The buffer lives from the first to the last of them, and no layout is higher for
// it: what lives with any of them lives with the first.
struct LargeBlocks {
  Problem problem;                       // every place in it is a multiple of the arena's granule
  std::vector<std::uint32_t> slots;      // in their order
  std::vector<std::uint32_t> buffer_of;  // for each of `slots`, its buffer in the problem
};

// Leaves to the heap the smallest of a variant's blocks that no cell can hold, where they are more than a plan has places, those of a
// run counted once. Libraries ask for many blocks that are aligned to pages.
void leave_surplus_out(std::span<Variant> variants);

// Returns the greatest limit with a slab about as low as the lowest that any limit gives: smaller blocks go to
// cells. In bytes.
[[nodiscard]] Bytes choose_small_limit(std::span<const Variant> variants);

// Leaves out the lists, whose cells come after all others.
[[nodiscard]] CellAssignment assign_cells(std::span<const Variant> variants, Bytes limit);

[[nodiscard]] LargeBlocks large_blocks(const Variant& variant, Bytes limit);

[[nodiscard]] Bytes total_of(std::span<const std::uint64_t> cells);

}  // namespace memo::planner
