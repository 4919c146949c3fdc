// Lists the strategies of the product: those that `auto` calls, `auto` itself, and the plan without reuse that they are
// compared with.
#pragma once

#include <span>
#include <string_view>

#include "planner/placing/strategy.h"

namespace memo::planner {

// Returns the strategies in the order in which commands list them; `auto` comes first.
[[nodiscard]] std::span<const Strategy> own_strategies();
// Returns nullptr if the product has no strategy of this name.
[[nodiscard]] const Strategy* find_strategy(std::string_view name);
// Returns nullptr if there is none of this name among `strategies`.
[[nodiscard]] const Strategy* find_strategy(std::span<const Strategy> strategies, std::string_view name);

}  // namespace memo::planner
