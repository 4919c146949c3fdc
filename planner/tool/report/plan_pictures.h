// The variants of a plan as pictures.
#pragma once

#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/tool/report/picture.h"

namespace memo::planner {

// `layout` names the layout that the plan is, `source` the file it is from.
[[nodiscard]] std::vector<Picture> plan_pictures(const PlanDescription& plan, const std::string& layout,
                                                 const std::string& source);

}  // namespace memo::planner
