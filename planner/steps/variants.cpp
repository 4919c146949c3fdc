#include "planner/steps/variants.h"

#include <numeric>

namespace memo::planner {

std::string_view why_unplanned(const Demand& demand) {
  if (demand.zone == PlanZone::kKept) return "outlives its pass";
  if (has_list(demand.zone) && demand.pool == 0) return "outlives too many iterations of its loop";
  if (demand.zone == PlanZone::kPool || demand.zone == PlanZone::kHeap)
    return "grows with each iteration of its loop, and takes less there";
  if (demand.site.module == kNone) return "its caller is in no known binary";
  if (demand.alignment > kMaxPlanAlignment) return "aligned more strictly than a plan can hold";
  if (demand.size > static_cast<Bytes>(kMaxPlanHeight / 2)) return "larger than a plan can hold";
  return "";
}

Bytes bytes_requested(const Variant& variant) {
  return std::accumulate(variant.demands.begin(), variant.demands.end(), Bytes{0},
                         [](Bytes sum, const Demand& demand) { return sum + demand.size; });
}

}  // namespace memo::planner
