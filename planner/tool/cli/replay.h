// Traces against a plan, in the arena itself: what `check` says of them, and `run --dry-run` at its end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "planner/check/dry_run.h"

namespace memo::cli {

// Throws Failure(kRuntime) that names the trace.
[[nodiscard]] planner::DryRun replay(const planner::PlanDescription& plan, planner::Trace& trace);

// What the statistics of a served run would have been, with the same members (docs/statistics.md).
[[nodiscard]] nlohmann::ordered_json statistics_of(const std::vector<planner::DryRun>& runs,
                                                   const std::string& plan);

}  // namespace memo::cli
