// Tells which operators own the bytes at a plan's peak: changing these operators makes the slab smaller.
#pragma once

#include <string>
#include <vector>

#include "planner/problem/problem.h"

#include "planner/plan/plan_description.h"

namespace memo::planner {

// Returns the readable name of the operator that made the slot's allocation, or "outside operators" where no
// scope was open.
[[nodiscard]] std::string operator_of(const PlanVariantDescription& variant, const PlanSlotDescription& slot);

struct OperatorShare {
  std::string name;
  std::size_t buffers = 0;
  Bytes bytes = 0;
};

struct PeakShares {
  Bytes bytes = 0;                    // bytes alive at the peak
  Lifetime during;                    // the first time at that peak, in slots of the variant
  std::vector<OperatorShare> shares;  // largest first
};

[[nodiscard]] PeakShares peak_shares(const PlanDescription& plan, const PlanVariantDescription& variant);

}  // namespace memo::planner
