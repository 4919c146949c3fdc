// Which passes of the traces a plan is made from: those that hooks found, those that the program marked, or those that
// the period of its allocations shows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/variants/period_passes.h"

namespace memo::cli {

struct PassesBy {
  std::string way;                            // "hooks", "api", "hooks and api", "period"
  std::vector<planner::FoundAnchor> anchors;  // with "period"
};

// The value of --passes-by. Throws Failure(kUsage) with the ways there are.
[[nodiscard]] std::string wanted_passes(const std::string& way);

// Leaves the traces with those passes alone. `forced` is one of the ways, or "" for the best that is there. Throws
// Failure(kInput) where the period is needed and none is to be seen. The deadline ends a search for the period, which is said;
// Failure(kNoPlan) where nothing was found by then.
[[nodiscard]] PassesBy choose_passes(std::vector<planner::Trace>& traces, const std::string& forced,
                                     planner::Deadline deadline = {});

// Which way, and how sure it is.
[[nodiscard]] std::string describe(const PassesBy& passes);
void add_to_json(const PassesBy& passes, nlohmann::ordered_json& json);

}  // namespace memo::cli
