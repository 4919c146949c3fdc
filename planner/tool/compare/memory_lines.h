// Draws the resident memory of every allocator over the time of its first run.
#pragma once

#include <string>

#include "planner/tool/compare/axes.h"
#include "planner/tool/compare/comparison.h"

namespace memo::compare {

// Returns "" where no memory was sampled over time, as in turn.
[[nodiscard]] std::string memory_lines_svg(const Comparison& comparison, Axes::Place place);

}  // namespace memo::compare
