// Draws a comparison: the speed and the memory of every allocator as bars, with the spread of the rounds. Below them,
// speed over memory with the front that none passes, and memory over time.
#pragma once

#include <string>

#include "planner/tool/compare/comparison.h"

namespace memo::compare {

[[nodiscard]] std::string chart_svg(const Comparison& comparison, const std::string& title);

}  // namespace memo::compare
