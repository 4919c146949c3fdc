#include "planner/tool/report/counted.h"

#include <algorithm>

#include "planner/check/dry_run.h"
#include "planner/tool/report/live_bytes.h"

namespace memo::planner {
namespace {

// Returns all buffers of the pass, the escaping ones among them; `made` receives the allocation of each.
Problem buffers_of(const Pass& pass, std::vector<const Allocation*>& made) {
  Problem problem;
  for (const Allocation& one : pass.allocations) {
    if (one.size == 0) continue;
    problem.buffers.push_back({one.life, one.size, 1, std::nullopt});
    made.push_back(&one);
  }
  return problem;
}

}  // namespace

std::vector<CountedAllocation> asked_for(const std::vector<const Pass*>& passes) {
  std::vector<CountedAllocation> counted;
  for (const Pass* pass : passes)
    for (const Allocation& made : pass->allocations) counted.push_back({pass, &made});
  return counted;
}

std::vector<CountedAllocation> alive_at_peak(const std::vector<const Pass*>& passes) {
  if (passes.empty()) return {};
  const Pass* const highest = *std::ranges::max_element(
      passes, std::ranges::less{}, [](const Pass* pass) { return peak_live_bytes(*pass); });
  std::vector<const Allocation*> made;
  const Problem problem = buffers_of(*highest, made);
  std::vector<CountedAllocation> counted;
  for (const BufferIndex index : peak_of(problem).buffers) counted.push_back({highest, made[index]});
  return counted;
}

std::vector<CountedAllocation> sent_to_heap(const PlanDescription& plan, const Trace& trace) {
  std::vector<CountedAllocation> counted;
  static_cast<void>(dry_run(plan, trace, [&](const Pass& pass, const Allocation& made) {
    counted.push_back({&pass, &made});
  }));
  return counted;
}

}  // namespace memo::planner
