// Checks that a plan keeps its own promise: no two slots that the profile saw alive together share a byte.
//
// The arena is safe either way, since it checks that the bytes are free at every allocation. But a plan that
// breaks this promise would send the second of the two slots to the heap in every pass.
#pragma once

#include "planner/check/check.h"
#include "planner/plan/plan_description.h"

namespace memo::planner {

// The slots of a variant that have a place, cells included, as the problem that their places solve.
struct LaidOut {
  Problem problem;
  Offsets offsets;                   // in the lane
  std::vector<std::uint32_t> slots;  // buffer → slot
};
[[nodiscard]] LaidOut lay_out(const PlanDescription& plan, const PlanVariantDescription& variant);

// Checks all variants. The first one that is wrong decides, and the sentence names it.
[[nodiscard]] Verdict check_plan(const PlanDescription& plan);

}  // namespace memo::planner
