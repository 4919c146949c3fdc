// Chooses which passes of the traces a plan is made from: those that hooks found, those that the program
// marked, or those that the period of the allocations shows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/steps/period_passes.h"

namespace memo::cli {

struct PassesBy {
  std::string way;                            // "hooks", "api", "hooks and api", "period"
  std::vector<planner::FoundAnchor> anchors;  // with "period" only
};

inline constexpr const char* kByPeriod = "period";

// Returns the value of --passes-by. Throws Failure(kUsage) with the valid ways if it is none of them.
[[nodiscard]] std::string wanted_passes(const std::string& way);

// Notes how the passes of traces were found.
class WaysOfTraces {
 public:
  void add(const planner::Trace& trace);
  // Returns true if a period has to be searched: it was asked for, or no trace has passes and some recorded all.
  [[nodiscard]] bool need_a_period(const std::string& forced) const;
  // Returns the way that was found, or the one that was asked for where there are no passes.
  [[nodiscard]] std::string chosen(const std::string& forced) const;

 private:
  bool marked_ = false;
  bool hooked_ = false;
  bool records_all_ = false;
};

// Removes the passes that were found in another way than the one that was asked for.
void keep_wanted_passes(planner::Trace& trace, const std::string& forced);

// Replaces the passes of the traces by those that a period shows. Throws Failure(kInput) if none shows. The deadline ends
// the search, with a warning, or with Failure(kNoPlan) if nothing was found by then.
[[nodiscard]] PassesBy by_period(std::vector<planner::Trace>& traces, planner::Deadline deadline);

// Removes all other passes from the traces. `forced` is one of the ways, or "" for the best way available.
// Searches for a period where that is needed, as by_period() does.
[[nodiscard]] PassesBy choose_passes(std::vector<planner::Trace>& traces, const std::string& forced,
                                     planner::Deadline deadline = {});

// Describe the way, and for a period the share of allocations that its passes cover.
[[nodiscard]] std::string describe(const PassesBy& passes);
void add_to_json(const PassesBy& passes, nlohmann::ordered_json& json);

}  // namespace memo::cli
