// Engines that plan their own memory, so that serving gains little.
#pragma once

#include <string>
#include <vector>

#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

// Says of each such engine among the files what is known of it: honest advice that saves a user a day.
[[nodiscard]] Findings examine_own_planners(const std::vector<std::string>& objects);

}  // namespace memo::doctor
