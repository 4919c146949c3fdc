// Lists all strategies: those that plan, and those of the literature that they are compared with.
#pragma once

#include <span>
#include <string_view>

#include "planner/placing/strategy.h"

namespace memo::planner {

// Returns the strategies in the order in which commands list them; `auto` comes first.
[[nodiscard]] std::span<const Strategy> all_strategies();
[[nodiscard]] const Strategy* find_strategy(std::string_view name);

}  // namespace memo::planner
