// Writes a tree as the variant that serves all its passes. A loop stands there as often as its blocks live through iterations:
//
//   pass of 3   p p | a b c | a b c | a b c | s           variant   p p | a b c | a b c | s        period 2
//   pass of 5   p p | a b c | a b c | a b c | a b c | a b c | s         0 1   2 3 4   5 6 7   8
//                     └────────┘ a is freed when the next a exists: it needs a second place, and the third a
//                                has the first one's again
//
// Lifetimes are exact within these iterations. A block that is handed on beyond the last of them, or out of the loop, lives as
// long as the loop, since any iteration may be the last. What an iteration reads of one long ago takes a place for each iteration
// between, and as many iterations of everything else in the plan. So how deep a loop looks back is a choice, by its cost in bytes:
//
//   x[c] = f(x[c - 8])     eight iterations in the variant, and a place for the x of each
#pragma once

#include <cstdint>
#include <vector>

#include "planner/fold/tree.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Makes the variant of a tree that has all its shapes. The tree gets its nodes, and is numbered as the variant has them.
[[nodiscard]] Variant unroll(Tree& tree);

// Returns the number of the node of each demand of the variant that was made of the tree.
[[nodiscard]] std::vector<std::uint32_t> nodes_of_demands(const Tree& tree);

// Returns the most planned bytes that would live at once if all blocks were as large as this pass of the tree has them.
[[nodiscard]] Bytes peak_with_sizes_of(const Tree& tree, const Variant& variant, const ShapeRun& run,
                                       const Pass& pass);

// Returns the most bytes of planned blocks that live at once.
[[nodiscard]] Bytes peak_planned(const Variant& variant);

}  // namespace memo::planner
