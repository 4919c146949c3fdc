// Carries a proof of optimality over from one shape to all larger ones, such as larger batches.
//
// Let the sizes of all large slots be multiples of one number: size(t) = f · size(0), with f the same for each. The
// library drops the slots in the order of their places, each onto those below it (plan_format.h). So every place
// is a sum of sizes, and grows by f as they do. LOAD is a sum of sizes too. If the height is LOAD at t = 0, it is
// f · LOAD for every t, which is LOAD there.
//
// This holds exactly where the sizes are multiples of 64 bytes, since places are.
#pragma once

#include "planner/plan/plan_description.h"

namespace memo::planner {

// Returns true if a variant whose sizes lie on lines has large slots alone whose sizes are in proportion for every t.
[[nodiscard]] bool all_sizes_scale(const PlanVariantDescription& variant);

}  // namespace memo::planner
