// The small-cell zone: shared objects, each of which serves one block at a time.
//
//   cell 0  [--a--]   [--c--]        A block takes the cell of its class that was freed last (it is still in
//   the cell 1     [----b----]  [-d-]    cache), else a free one of a slightly larger class, else a new one.
//              time ->
//
// Variants never run in one lane at the same time, so they share the cells: the caller lays their time lines
// one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct SmallBlock {
  Lifetime life;
  Bytes size = 0;
};

struct SmallCells {
  std::vector<std::uint64_t> cells;    // bytes of each cell
  std::vector<std::uint32_t> cell_of;  // the cell of each block
};

// Assigns each block a cell. O(n log n).
[[nodiscard]] SmallCells assign_small_cells(std::span<const SmallBlock> blocks);

}  // namespace memo::planner
