// Asks the arena's own loader whether the arena would take a plan. So a plan from elsewhere is refused here,
// where a person reads the reason, and not in the server.
#pragma once

#include "planner/plan/plan_description.h"

namespace memo::planner {

// Throws std::runtime_error with the reason where the arena would refuse the plan.
void require_servable(const PlanDescription& plan);

}  // namespace memo::planner
