// Writes a report as JSON: `report --json` prints it, and the page draws from it. The two differ only in the
// long columns.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/tool/report/report.h"

namespace memo::planner {

enum class Columns {
  kPlain,   // as lists of numbers
  kPacked,  // as packed columns (columns.h)
};

// Returns the data flow of a pass, as the report has it and `inspect --json` prints it.
[[nodiscard]] nlohmann::ordered_json flow_json(const FlowGraph& graph);

[[nodiscard]] nlohmann::ordered_json report_json(const Report& report, Columns columns);

}  // namespace memo::planner
