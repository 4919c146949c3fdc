// Checks one variant of a plan: its scopes, its slots, and where they lie.
#pragma once

#include "runtime/plan/plan_fault.h"
#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// Returns true if the variant's indexes, sizes and places are possible. The plan's tables, modules and cells have
// been checked.
[[nodiscard]] bool check_variant(const PlanFile& file, const PlanVariant& variant, PlanFault* why);

}  // namespace memo::runtime
