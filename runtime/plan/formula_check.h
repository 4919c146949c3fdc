// Checks the formulas of a plan's slots.
#pragma once

#include "runtime/plan/plan_fault.h"
#include "runtime/plan/plan_file.h"

namespace memo::runtime {

// Returns true if each formula is of a slot and of numbers that are there, and small enough to be counted with. They are
// sorted by variant and slot. The variants have been checked.
[[nodiscard]] bool check_formulas(const PlanFile& file, PlanFault* why);

}  // namespace memo::runtime
