// Would the arena take this plan? Asked of the arena's own loader, so that a plan from elsewhere is refused where somebody
// reads what is said, and not in the server.
#pragma once

#include "planner/plan/plan_description.h"

namespace memo::planner {

// Throws std::runtime_error with the reason.
void require_servable(const PlanDescription& plan);

}  // namespace memo::planner
