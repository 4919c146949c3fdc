// Checks a plan once, so that nothing after it has to. The bytes may come from any source: no check reads beyond what
// an earlier one has found to be there.
#pragma once

#include "runtime/plan/plan_fault.h"
#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// Returns true if everything that the arena relies on holds in `file`: no index, size or place in it needs a
// second check. Returns false, and says in *why what is wrong, otherwise.
[[nodiscard]] bool check_plan(const PlanFile& file, PlanFault* why);

}  // namespace memo::runtime
