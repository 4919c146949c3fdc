// The strategies that a verb can name: those of the command, then those of the program `memomalloc-literature`.
#pragma once

#include <string>
#include <vector>

#include "planner/placing/strategy.h"

namespace memo::cli {

// Returns all of them. Where the program cannot be asked, warns with the cure, and returns the command's own.
[[nodiscard]] std::vector<const planner::Strategy*> every_strategy();

// Asks the program if the command has none of this name. Throws Failure(kUsage) with the valid names if neither has.
[[nodiscard]] const planner::Strategy& strategy_named(const std::string& name);

}  // namespace memo::cli
