// Does a plan keep its own promise: no two slots that the profile saw alive together share a byte?
//
// The arena is safe either way, since it checks what is free at every allocation; a plan that breaks this
// would only send the second of the two to the heap in every pass.
#pragma once

#include "planner/check/check.h"
#include "planner/plan/plan_description.h"

namespace memo::planner {

// The slots of a variant that have a place, as the problem they solve, cells included.
struct LaidOut {
  Problem problem;
  Offsets offsets;                   // in the lane
  std::vector<std::uint32_t> slots;  // buffer → slot
};
[[nodiscard]] LaidOut lay_out(const PlanDescription& plan, const PlanVariantDescription& variant);

// The first variant that is wrong decides; the sentence says which.
[[nodiscard]] Verdict check_plan(const PlanDescription& plan);

}  // namespace memo::planner
