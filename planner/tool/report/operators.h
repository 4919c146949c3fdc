// Which operators the bytes of a plan's peak belong to: what to change to make the slab smaller.
#pragma once

#include <string>
#include <vector>

#include "planner/problem/problem.h"

#include "planner/plan/plan_description.h"

namespace memo::planner {

// The operator that a slot's allocation belongs to, as people read it; "outside operators" where no scope was open.
[[nodiscard]] std::string operator_of(const PlanVariantDescription& variant, const PlanSlotDescription& slot);

struct OperatorShare {
  std::string name;
  std::size_t buffers = 0;
  Bytes bytes = 0;
};

struct PeakShares {
  Bytes bytes = 0;                    // alive at the peak
  Lifetime during;                    // the first such moment, in slots of the variant
  std::vector<OperatorShare> shares;  // largest first
};

[[nodiscard]] PeakShares peak_shares(const PlanDescription& plan, const PlanVariantDescription& variant);

}  // namespace memo::planner
