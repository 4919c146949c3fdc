// Prints findings as lines for the terminal and as JSON.
#pragma once

#include <string>

#include "planner/tool/doctor/finding.h"

namespace memo::cli {

[[nodiscard]] std::string doctor_text(const doctor::Findings& findings);
[[nodiscard]] std::string doctor_json(const doctor::Findings& findings);

}  // namespace memo::cli
