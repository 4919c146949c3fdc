// Solves with strategies that the command does not have, by the program `memomalloc-literature` beside it.
#pragma once

#include <span>

#include "planner/placing/strategy.h"

namespace memo::planner {

// Returns the strategies that the program names. It is asked once. Each of them solves in a process of its own, which
// ends with this one. Throws std::runtime_error, as their functions do, with the cause and the cure where the program is
// missing or fails.
[[nodiscard]] std::span<const Strategy> literature_beside();

}  // namespace memo::planner
