// Replays traces against a plan in the arena itself, for `check` and for the end of `run --dry-run`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "planner/check/dry_run.h"
#include "planner/tool/report/counted.h"
#include "planner/tool/served/served.h"

namespace memo::cli {

// Replays one trace. Throws Failure(kRuntime) with the trace's name.
[[nodiscard]] planner::DryRun replay(const planner::PlanDescription& plan, planner::Trace& trace);

// Replays one trace in the same way, and returns the allocations of its steady passes that went to the heap.
[[nodiscard]] std::vector<planner::CountedAllocation> missed_by(const planner::PlanDescription& plan,
                                                                planner::Trace& trace);

// Return what all passes of the run were served, and some of them.
[[nodiscard]] planner::Served served_of(const planner::DryRun& run);
[[nodiscard]] planner::Served served_of(const planner::DryPasses& passes);

// Returns the statistics that a served run would have written, with the same members (docs/statistics.md).
[[nodiscard]] nlohmann::ordered_json statistics_of(const std::vector<planner::DryRun>& runs,
                                                   const std::string& plan);

}  // namespace memo::cli
