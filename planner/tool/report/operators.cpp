#include "planner/tool/report/operators.h"

#include <algorithm>
#include <map>

#include "planner/check/check_plan.h"
#include "planner/tool/report/live_bytes.h"
#include "planner/trace/symbols.h"

namespace memo::planner {

std::string operator_of(const PlanVariantDescription& variant, const PlanSlotDescription& slot) {
  return slot.scope < variant.scopes.size() ? readable_name(variant.scopes[slot.scope].name)
                                            : "outside operators";
}

PeakShares peak_shares(const PlanDescription& plan, const PlanVariantDescription& variant) {
  const LaidOut laid_out = lay_out(plan, variant);
  const Peak peak = peak_of(laid_out.problem);
  std::map<std::string, OperatorShare> by_name;
  for (const BufferIndex index : peak.buffers) {
    const PlanSlotDescription& slot = variant.slots[laid_out.slots[index]];
    OperatorShare& share = by_name[operator_of(variant, slot)];
    ++share.buffers;
    share.bytes += static_cast<Bytes>(slot.size);
  }
  PeakShares result{.bytes = peak.bytes, .during = peak.during, .shares = {}};
  for (auto& [name, share] : by_name) {
    share.name = name;
    result.shares.push_back(share);
  }
  std::stable_sort(result.shares.begin(), result.shares.end(),
                   [](const OperatorShare& a, const OperatorShare& b) { return a.bytes > b.bytes; });
  return result;
}

}  // namespace memo::planner
