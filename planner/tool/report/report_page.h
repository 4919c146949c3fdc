// A report as one HTML file that needs nothing else: markup, style and script are the files in page/, embedded when the
// command is built; the data is a block of JSON inside.
#pragma once

#include <string>

#include "planner/tool/report/report.h"

namespace memo::planner {

[[nodiscard]] std::string report_page(const Report& report);

}  // namespace memo::planner
