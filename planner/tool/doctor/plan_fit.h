// Examines whether the plan was made for this program. The plan knows its call sites by the builds of their
// files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

// Compares the plan with the files at the paths `objects`, which the program loads. `complete` says that the
// program loads no other file later, `ran_passes` that passes of it were served from the plan: the same files run other
// models, too, so without such passes it is unproved that the plan is of this one.
[[nodiscard]] Findings examine_fit(const planner::PlanDescription& plan,
                                   const std::vector<std::string>& objects, bool complete, bool ran_passes);

// Reports what earlier starts found serving from the plan to be worth, which is kept beside it. Says nothing where nothing was found, or where there is no such plan.
[[nodiscard]] Findings examine_worth(const std::filesystem::path& plan);

}  // namespace memo::doctor
