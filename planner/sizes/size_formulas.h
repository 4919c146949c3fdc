// Finds out how sizes follow from the two numbers of their shapes, so that the library foresees those of a shape that has
// not come yet (runtime/plan/formulas.h).
//
//   numbers   p  2   4    1      sizes   8064   26816   512       67 · p · q, rounded up to a multiple of 64
//             q  60  100  7      rest      24      16    43       so 67 · p · q + 16, and up to 27 more
//
// A formula is a line over one product of powers, as that by which the numbers were found (varying_sizes.h). It is exact but
// for the rounding of an allocation's size: what is a few bytes off is no formula, since it would say nothing of larger
// shapes.
#pragma once

#include <vector>

#include "planner/plan/size_formula.h"
#include "planner/sizes/varying_sizes.h"

namespace memo::planner {

// Returns true if formulas can count in these numbers: two, and none too large for the library's search.
[[nodiscard]] bool have_formulas(const std::vector<SizesOfPasses>& numbers);

// Returns the formula with the least rounding, of equals that with the lowest powers; none if no line comes close, or if
// the size is always the same. have_formulas(numbers) must hold.
[[nodiscard]] SizeFormula formula_of(const SizesOfPasses& sizes, const std::vector<SizesOfPasses>& numbers);

}  // namespace memo::planner
