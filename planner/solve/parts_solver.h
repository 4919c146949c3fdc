// A whole problem by exact search: split where nothing is alive, heuristics first, then a portfolio for each part that
// needs one. What `canonical` and `auto` have in common.
//
// Parts are solved in the order of their lower bounds, the largest first. The height of the whole is that of its
// highest part, so every other part is only improved until it is no higher than those before it.
#pragma once

#include <span>

#include "planner/placing/strategy.h"
#include "planner/solve/portfolio.h"

namespace memo::planner {

struct PartsOptions {
  Portfolio::Options portfolio;
  // Strategies to begin with, in order, until one reaches the bound. At least one that refuses nothing.
  std::span<const Strategy* const> heuristics;
  // Strategies to go on with where the search cannot; the first that takes the part gets what is left of the limits.
  std::span<const Strategy* const> climbers;
  // A part whose lists would need more than this is too large for the search.
  std::size_t most_list_bytes = std::size_t{1} << 28;
};

[[nodiscard]] Outcome solve_by_parts(const Problem& problem, const Limits& limits,
                                     const PartsOptions& options);

}  // namespace memo::planner
