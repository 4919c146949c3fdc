// Prints what `pack` says about a solve: a few lines for people, one JSON object for programs.
#pragma once

#include <string>
#include <vector>

#include "planner/placing/strategy.h"
#include "planner/problem/csv.h"

namespace memo::cli {

struct PackResult {
  const planner::Instance& instance;
  const planner::Strategy& strategy;
  const planner::Outcome& outcome;
};

// Returns a table of the result.
[[nodiscard]] std::string describe(const PackResult& result);

// Returns which buffers force the height, and at which moment, or why there is no plan.
[[nodiscard]] std::string explain(const PackResult& result);

// Returns the JSON object that `pack --json` promises. `height` is null if there is no plan.
[[nodiscard]] std::string to_json(const PackResult& result);

// Describe the strategies: what each does, its cost, its guarantee.
[[nodiscard]] std::string describe(const std::vector<const planner::Strategy*>& strategies);
[[nodiscard]] std::string to_json(const std::vector<const planner::Strategy*>& strategies);

}  // namespace memo::cli
