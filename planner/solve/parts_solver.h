// Solves a whole problem by exact search: splits it where nothing is alive, runs heuristics first, and then a
// portfolio for each part that needs one. `canonical` and `auto` share it.
//
// Parts are solved in the order of their lower bounds, the largest first. The height of the whole plan is that
// of its highest part, so every other part is only improved until it is no higher than those before it.
#pragma once

#include <span>

#include "planner/placing/strategy.h"
#include "planner/solve/portfolio.h"

namespace memo::planner {

struct PartsOptions {
  Portfolio::Options portfolio;
  // Strategies to begin with, in order, until one reaches the bound. At least one must refuse nothing.
  std::span<const Strategy* const> heuristics;
  // Strategies for parts that the search cannot take. Each gets what those before it left of the limits.
  std::span<const Strategy* const> climbers;
  // Lowers the plan by ejection before the search. Its share of the limits grows with the part.
  bool ejects = false;
  // Limits the bytes of a part's lists. A part that would need more is too large for the search.
  std::size_t most_list_bytes = std::size_t{1} << 28;
};

[[nodiscard]] Outcome solve_by_parts(const Problem& problem, const Limits& limits,
                                     const PartsOptions& options);

}  // namespace memo::planner
