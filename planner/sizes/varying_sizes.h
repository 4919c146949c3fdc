// Finds the numbers that the sizes of a structure follow: a batch and a length, say. The trace knows the sizes of blocks
// alone, so these numbers have no names, and factors that all shapes have in common are not in them.
//
//   pass            block      block       iterations        found
//   2 × 60          64·120     16·7200     8                 p: 2, 4, 1 …    1 to 4
//   4 × 100         64·400     16·40000    16                q: 60, 100, 7 … 7 to 100
//   1 × 7           64·7       16·49       4
//                   64·p·q     16·p·q²     4·p
//
// Candidates are the sizes without their common factor and constant, the roots of squares among them, and what remains if one is
// divided by another. A size follows numbers if it lies on a line over one of p, q, p·q, p²·q, … up to squares. The
// smallest numbers that most sizes follow are the answer.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/plan/shape_range.h"

namespace memo::planner {

// One size of each pass: that of the blocks at one place of the structure, or how many iterations a loop had.
using SizesOfPasses = std::vector<std::int64_t>;

// Returns one number of each pass, or two if one does not explain the sizes, the smaller first; none if neither does, or if
// there are fewer than eight passes. All of `sizes` have one element for each pass.
// Sizes that no pass has different are ignored. O(candidates² · sizes · passes) at worst, of at most 64 candidates; most
// comparisons end at the first passes.
[[nodiscard]] std::vector<SizesOfPasses> varying_numbers(const std::vector<SizesOfPasses>& sizes);

// Returns the least and the most of each number.
[[nodiscard]] std::vector<VaryingSize> ranges_of(const std::vector<SizesOfPasses>& numbers);

}  // namespace memo::planner
