// A comparison as tables for the terminal and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/tool/compare/comparison.h"
#include "planner/tool/report/served_share.h"

namespace memo::cli {

struct CompareReport {
  const compare::Comparison& comparison;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> machine;
  std::optional<planner::ServedShare> share;  // of the last served run; servers that are killed leave none
};

[[nodiscard]] std::string compare_text(const CompareReport& report);
[[nodiscard]] nlohmann::ordered_json compare_json(const CompareReport& report);

}  // namespace memo::cli
