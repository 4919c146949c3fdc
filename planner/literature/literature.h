// Lists the strategies of other planners. The product is built without them; `memomalloc-literature` solves with them.
#pragma once

#include <span>

#include "planner/placing/strategy.h"

namespace memo::planner {

// Returns the strategies in the order in which commands list them.
[[nodiscard]] std::span<const Strategy> literature_strategies();

}  // namespace memo::planner
