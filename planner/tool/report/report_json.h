// A report as JSON: what `report --json` prints and what the page draws from. The two differ in the long columns alone.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/tool/report/report.h"

namespace memo::planner {

enum class Columns {
  kPlain,   // lists of numbers
  kPacked,  // see columns.h
};

[[nodiscard]] nlohmann::ordered_json report_json(const Report& report, Columns columns);

}  // namespace memo::planner
