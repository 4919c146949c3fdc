// Computes how much of a trace a plan would serve. The arena itself answers: the dry run replays the passes of
// the trace into it, allocation by allocation, without the program. A model of the matching would be a second
// matcher that drifts from the first; so the planner may use the arena's library here, and nowhere else.
//
// The arena finds call sites by the addresses at which binaries are loaded. Here no binary is loaded, so the
// dry run rewrites plan and trace to invented addresses: one range for each module, with the site's offset in
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// Counts of some of the passes of a dry run.
struct DryPasses {
  std::uint64_t served = 0;
  std::uint64_t missed = 0;
  std::uint64_t foreseen = 0;  // those of the missed that the plan leaves to the heap
  std::uint64_t kept = 0;      // of these, the ones whose block outlives its pass
  std::uint64_t served_bytes = 0;
  std::uint64_t missed_bytes = 0;
  std::uint64_t kept_bytes = 0;
};

struct DryRun {
  std::uint64_t passes = 0;
  std::uint64_t fully_served = 0;  // passes without a single fallback
  std::uint64_t served = 0;
  std::uint64_t served_bytes = 0;
  std::uint64_t searched = 0;  // allocations that were not what the plan expected next
  std::uint64_t fallback_bytes = 0;
  std::uint64_t kept_bytes = 0;
  std::map<std::string, std::uint64_t> fallback;  // reason → allocations
  std::vector<std::string> foreign;  // modules that allocate in the trace and are not in the plan
  DryPasses steady;                  // the passes after the warm-up that the plan knows
  DryPasses later;                   // the second half of the passes, for plans that know none

  [[nodiscard]] std::uint64_t missed() const;
};

// Is called for each allocation of the steady passes that went to the heap.
using MissVisitor = std::function<void(const Pass&, const Allocation&)>;

// Throws std::runtime_error where the arena refuses the plan or has no memory for its slab.
[[nodiscard]] DryRun dry_run(
    const PlanDescription& plan, const Trace& trace,
    const MissVisitor& missed = [](const Pass&, const Allocation&) {});

}  // namespace memo::planner
