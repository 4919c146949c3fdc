// Checks the loops of a plan's variants.
#pragma once

#include "runtime/plan/plan_fault.h"
#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// Returns true if each loop is possible. The loops of a variant stand together in the table, in the order of their
// slots. Two loops have no slot and no scope in common, or one lies in one iteration of the other and comes after it; at
// most kMaxLoopDepth lie in each other. The variants have been checked.
[[nodiscard]] bool check_loops(const PlanFile& file, PlanFault* why);

}  // namespace memo::runtime
