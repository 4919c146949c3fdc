// A comparison as tables for the terminal and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/compare/comparison.h"

namespace memo::cli {

// What the served runs say of themselves, where they were asked.
struct ServedShare {
  double served = 0;
  double all = 0;
};

struct CompareReport {
  const compare::Comparison& comparison;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> machine;
  std::optional<ServedShare> share;
};

[[nodiscard]] std::string compare_text(const CompareReport& report);
[[nodiscard]] nlohmann::ordered_json compare_json(const CompareReport& report);

}  // namespace memo::cli
