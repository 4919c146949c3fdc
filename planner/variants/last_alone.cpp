#include "planner/variants/last_alone.h"

#include <algorithm>
#include <numeric>

namespace memo::planner {
namespace {

Bytes asked_by(const Pass& pass) {
  return std::accumulate(pass.allocations.begin(), pass.allocations.end(), Bytes{0},
                         [](Bytes sum, const Allocation& made) { return sum + made.size; });
}

Bytes asked_by(const Variant& variant) {
  return std::accumulate(variant.demands.begin(), variant.demands.end(), Bytes{0},
                         [](Bytes sum, const Demand& demand) { return sum + demand.size; });
}

// Returns the last pass of a recording that is complete and allocates; nullptr where there is none.
const Pass* last_pass(const DistinctPasses& passes, const Recording& recording) {
  for (auto number = recording.passes.rbegin(); number != recording.passes.rend(); ++number) {
    const Pass* pass = passes[*number].pass;
    if (pass->complete && !pass->allocations.empty()) return pass;
  }
  return nullptr;
}

}  // namespace

Bytes asked_by_last_alone(const DistinctPasses& passes, const std::set<const Pass*>& alone,
                          std::span<const Variant> variants) {
  Bytes most = 0;
  for (const Recording* recording : passes.recordings()) {
    const Pass* last = last_pass(passes, *recording);
    if (last != nullptr && alone.contains(last)) most = std::max(most, asked_by(*last));
  }
  const bool is_most =
      std::ranges::all_of(variants, [most](const Variant& variant) { return asked_by(variant) < most; });
  return is_most ? most : 0;
}

}  // namespace memo::planner
