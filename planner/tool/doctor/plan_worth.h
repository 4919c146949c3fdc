// Says what earlier starts found serving from a plan to be worth.
#pragma once

#include <filesystem>

#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

// Reports what is kept beside the plan. Says nothing where nothing was found, or where there is no such plan.
[[nodiscard]] Findings examine_worth(const std::filesystem::path& plan);

}  // namespace memo::doctor
