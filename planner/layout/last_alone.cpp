#include "planner/layout/last_alone.h"

#include <algorithm>

namespace memo::planner {
namespace {

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
    if (last != nullptr && alone.contains(last)) most = std::max(most, bytes_requested(*last));
  }
  const bool is_most = std::ranges::all_of(
      variants, [most](const Variant& variant) { return bytes_requested(variant) < most; });
  return is_most ? most : 0;
}

}  // namespace memo::planner
