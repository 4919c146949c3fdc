#include "planner/tool/cli/replay.h"

#include <fmt/format.h>

#include "planner/steps/period_passes.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/report/statistics.h"

namespace memo::cli {

using planner::DryRun;

namespace {

// Opens the passes of the trace as the plan does, and returns what `run` makes of the two.
template <typename Run>
auto replayed_by(const Run& run, const planner::PlanDescription& plan, planner::Trace& trace) {
  if (!plan.anchors.empty()) planner::open_passes_at(planner::anchors_of(plan), trace);
  try {
    return run(plan, trace);
  } catch (const std::runtime_error& error) {
    throw Failure{kRuntime, fmt::format("cannot replay {}: {}", trace.path, error.what())};
  }
}

std::uint64_t kept_in(const DryRun& run) {
  const auto kept = run.fallback.find("kept");
  return kept == run.fallback.end() ? 0 : kept->second;
}

}  // namespace

DryRun replay(const planner::PlanDescription& plan, planner::Trace& trace) {
  return replayed_by(
      [](const auto& its_plan, const auto& its_trace) { return planner::dry_run(its_plan, its_trace); }, plan,
      trace);
}

std::vector<planner::CountedAllocation> missed_by(const planner::PlanDescription& plan,
                                                  planner::Trace& trace) {
  return replayed_by(planner::sent_to_heap, plan, trace);
}

planner::Served served_of(const DryRun& run) {
  return {.passes = run.passes,
          .served = run.served,
          .served_bytes = run.served_bytes,
          .missed = run.missed(),
          .missed_bytes = run.fallback_bytes,
          .kept = kept_in(run),
          .kept_bytes = run.kept_bytes};
}

planner::Served served_of(const planner::DryPasses& passes) {
  return {.passes = 0,  // they are not counted
          .served = passes.served,
          .served_bytes = passes.served_bytes,
          .missed = passes.missed,
          .missed_bytes = passes.missed_bytes,
          .kept = passes.kept,
          .kept_bytes = passes.kept_bytes};
}

nlohmann::ordered_json statistics_of(const std::vector<DryRun>& runs, const std::string& plan) {
  nlohmann::ordered_json statistics = planner::empty_statistics();
  const auto add = [&statistics](const char* member, std::uint64_t amount) {
    statistics[member] = statistics[member].get<std::uint64_t>() + amount;
  };
  for (const DryRun& run : runs) {
    add("passes", run.passes);
    add("served", run.served);
    add("served_bytes", run.served_bytes);
    add("searched", run.searched);
    add("fallback_bytes", run.fallback_bytes);
    add("kept_bytes", run.kept_bytes);
    for (const auto& [reason, count] : run.fallback) {
      nlohmann::ordered_json& total = statistics["fallback"][reason];
      total = total.is_null() ? count : total.get<std::uint64_t>() + count;
    }
  }
  statistics["plan"] = plan;
  statistics["state"] = "dry run";
  return statistics;
}

}  // namespace memo::cli
