// Chooses which passes of the traces a plan is made from: those that hooks found, those that the program
// marked, or those that the period of the allocations shows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/variants/period_passes.h"

namespace memo::cli {

struct PassesBy {
  std::string way;                            // "hooks", "api", "hooks and api", "period"
  std::vector<planner::FoundAnchor> anchors;  // with "period" only
};

// Returns the value of --passes-by. Throws Failure(kUsage) with the valid ways if it is none of them.
[[nodiscard]] std::string wanted_passes(const std::string& way);

// Removes all other passes from the traces. `forced` is one of the ways, or "" for the best way available.
// Throws Failure(kInput) if the period is needed and none shows. The deadline ends a search for the period,
// with a warning, or with Failure(kNoPlan) if nothing was found by then.
[[nodiscard]] PassesBy choose_passes(std::vector<planner::Trace>& traces, const std::string& forced,
                                     planner::Deadline deadline = {});

// Describe the way, and for a period the share of allocations that its passes cover.
[[nodiscard]] std::string describe(const PassesBy& passes);
void add_to_json(const PassesBy& passes, nlohmann::ordered_json& json);

}  // namespace memo::cli
