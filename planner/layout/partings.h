// Finds the blocks that a pass holds where its variant parts from another.
//
//   variant 1   p q r | s t …        A pass that begins in the wrong one of the two shows that at s or u. The arena then
//   variant 2   p q r | u v …        changes the variant, unless a large block is live: p, if it lives on.
//
// So such a block goes to a cell, since all variants share the cells. That costs its bytes, so it is done only where
// they are few.
#pragma once

#include <span>

#include "planner/steps/variants.h"

namespace memo::planner {

// Gives cells to the blocks that are held where a variant parts from another of the same key.
void put_held_in_cells(std::span<Variant> variants);

}  // namespace memo::planner
