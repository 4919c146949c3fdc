// Makes pictures of the variants of a plan.
#pragma once

#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/tool/report/picture.h"

namespace memo::planner {

// Makes one picture for each variant. `layout` is the name of the plan's layout, `source` the file that the
// plan is from.
[[nodiscard]] std::vector<Picture> plan_pictures(const PlanDescription& plan, const std::string& layout,
                                                 const std::string& source);

}  // namespace memo::planner
