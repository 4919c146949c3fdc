// Writes a report as one HTML file that needs no other file. Markup, style and script are the files in page/,
// embedded when the command is built. The data is a block of JSON inside the page.
#pragma once

#include <string>

#include "planner/tool/report/report.h"

namespace memo::planner {

[[nodiscard]] std::string report_page(const Report& report);

}  // namespace memo::planner
