// Chooses the allocations of a trace that a flame graph counts.
#pragma once

#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/trace/trace.h"

namespace memo::planner {

struct CountedAllocation {
  const Pass* pass = nullptr;
  const Allocation* made = nullptr;
};

// Returns all allocations of the passes.
[[nodiscard]] std::vector<CountedAllocation> asked_for(const std::vector<const Pass*>& passes);

// Returns the allocations that are alive at the worst moment of the pass with the highest peak.
[[nodiscard]] std::vector<CountedAllocation> alive_at_peak(const std::vector<const Pass*>& passes);

// Returns the allocations that the plan sends to the heap in the passes after its warm-up. The trace is replayed in the arena,
// so it must be one without labels. Throws std::runtime_error where the arena refuses the plan or has no memory for its slab.
[[nodiscard]] std::vector<CountedAllocation> sent_to_heap(const PlanDescription& plan, const Trace& trace);

}  // namespace memo::planner
