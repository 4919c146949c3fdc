// What `pack` says about a solve: for people as a few lines, for programs as one JSON object.
#pragma once

#include <string>
#include <string_view>

#include "planner/placing/strategy.h"
#include "planner/problem/csv.h"

namespace memo::cli {

struct PackResult {
  const planner::Instance& instance;
  const planner::Strategy& strategy;
  const planner::Outcome& outcome;
  double seconds;
};

// A table of what was found.
[[nodiscard]] std::string describe(const PackResult& result);

// Which buffers at which moment force the height, or why there is no plan.
[[nodiscard]] std::string explain(const PackResult& result);

// The object of the contract; `height` is null where there is no plan.
[[nodiscard]] std::string to_json(const PackResult& result);

// Every strategy: what it is, its cost, its guarantee.
[[nodiscard]] std::string describe_strategies();
[[nodiscard]] std::string strategies_json();

}  // namespace memo::cli
