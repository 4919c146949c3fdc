// Is the plan for this program? Its call sites are known by the builds of the files they are in.
#pragma once

#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

// `objects` are the paths of what the program loads. `complete`: what is not among them is not loaded later.
[[nodiscard]] Findings examine_fit(const planner::PlanDescription& plan,
                                   const std::vector<std::string>& objects, bool complete);

}  // namespace memo::doctor
