// Prints a report in short for the terminal.
#pragma once

#include <string>

#include "planner/tool/report/report.h"

namespace memo::cli {

[[nodiscard]] std::string report_text(const planner::Report& report);

}  // namespace memo::cli
