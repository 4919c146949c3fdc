// Checks the split of a plan.
#pragma once

#include "runtime/plan/plan_fault.h"
#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// Returns true if the plan is not split, or if each of its large slots lies on one side of the split. To be called after the
// checks of all other parts.
[[nodiscard]] bool check_peaks(const PlanFile& file, PlanFault* why);

}  // namespace memo::runtime
