// Prints a comparison as tables for the terminal and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/tool/compare/comparison.h"
#include "planner/tool/served/statistics_file.h"

namespace memo::cli {

struct CompareReport {
  const compare::Comparison& comparison;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> machine;
  // The share served in the last run with the plan. Servers that are killed leave none.
  std::optional<planner::ServedShare> share;
};

[[nodiscard]] std::string compare_text(const CompareReport& report);
[[nodiscard]] nlohmann::ordered_json compare_json(const CompareReport& report);

}  // namespace memo::cli
