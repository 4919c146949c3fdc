// Draws the speed of every allocator over the most memory that it held, and the front that none passes.
#pragma once

#include <string>

#include "planner/tool/compare/axes.h"
#include "planner/tool/compare/comparison.h"

namespace memo::compare {

// Returns "" where fewer than two allocators have both figures.
[[nodiscard]] std::string plane_svg(const Comparison& comparison, Axes::Place place);

}  // namespace memo::compare
