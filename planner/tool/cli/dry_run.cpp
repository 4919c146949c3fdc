#include "planner/tool/cli/dry_run.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <vector>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/replay.h"
#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/work_folder.h"
#include "planner/tool/served/served.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;
using planner::DryRun;

struct Replayed {
  std::vector<DryRun> runs;
  planner::Served served;

  void add(const DryRun& run) {
    runs.push_back(run);
    served += served_of(run);
  }
};

// Replays one trace. Warns of a trace that cannot be read, and leaves it out.
void replay_into(Replayed& all, const fs::path& path, const planner::PlanDescription& plan) {
  try {
    std::vector<planner::Trace> traces = read_traces_as_served({path.string()});
    all.add(replay(plan, traces.front()));
  } catch (const Failure& failure) {
    spdlog::warn("{}", failure.message);
  }
}

Replayed replay_all(const std::vector<fs::path>& traces, const planner::PlanDescription& plan) {
  Replayed all;
  for (const fs::path& trace : traces) replay_into(all, trace, plan);
  return all;
}

void write(const std::string& path, const Replayed& replayed, const std::string& plan) {
  if (!path.empty()) write_output(path, statistics_of(replayed.runs, plan).dump() + "\n");
}

}  // namespace

// Replays the passes that were recorded after the plan was made, if there are any: they say more about a plan
// than those that it was made from.
void report_dry_run(const fs::path& work, const fs::path& plan, const std::string& statistics) {
  std::error_code error;
  if (!fs::exists(plan, error)) {
    spdlog::info("dry run: no pass was recorded twice alike; nothing would have been served");
    return write(statistics, {}, "");
  }
  const planner::PlanDescription description = read_plan(plan.string());
  Replayed replayed = replay_all(learn::traces_in(work), description);
  const bool later = replayed.served.passes != 0;
  if (!later) replayed = replay_all(learn::KeptTraces(plan).all(), description);
  spdlog::info(
      "dry run: {} would have been served, in {} passes {}", planner::served_amounts(replayed.served),
      replayed.served.passes,
      later ? "recorded after the plan was made" : "that the plan was made from: run it longer for others");
  write(statistics, replayed, plan.string());
}

}  // namespace memo::cli
