#include "planner/sizes/scaling.h"

#include <algorithm>
#include <vector>

#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

bool scales(const PlanSlotDescription& slot) {
  return slot.formula.is_line() && slot.size % kGranule == 0 && slot.alignment <= kGranule;
}

// No size exceeds kMaxPlanHeight, so the products need more than 64 bits.
bool are_in_proportion(const PlanSlotDescription& a, const PlanSlotDescription& b) {
  __extension__ using Product = unsigned __int128;
  return Product{a.size} * b.formula.factor == Product{b.size} * a.formula.factor;
}

}  // namespace

bool all_sizes_scale(const PlanVariantDescription& variant) {
  std::vector<PlanSlotDescription> large;
  std::copy_if(variant.slots.begin(), variant.slots.end(), std::back_inserter(large),
               [](const PlanSlotDescription& slot) { return slot.zone == PlanZone::kLarge; });
  if (large.empty() || !variant.loops.empty()) return false;
  return std::all_of(large.begin(), large.end(), [&](const PlanSlotDescription& slot) {
    return scales(slot) && are_in_proportion(slot, large.front());
  });
}

}  // namespace memo::planner
