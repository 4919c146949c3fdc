// `memomalloc inspect --stacks`: prints folded call stacks, which tools that draw flame graphs read.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/inspect.h"
#include "planner/tool/cli/passes_by.h"
#include "planner/tool/cli/replay.h"
#include "planner/tool/report/flames.h"

namespace memo::cli {
namespace {

using planner::CallTree;
using planner::Symbolizer;
using planner::Trace;

// Refuses options that contradict --stacks, before any file is read.
void require_one_meaning(const Options& options) {
  if (!options.given("stacks")) throw Failure{kUsage, "--plan is only for --stacks missed"};
  const std::string bytes = options.text("stacks");
  if (bytes != "asked" && bytes != "peak" && bytes != "missed")
    throw Failure{kUsage, fmt::format("--stacks is \"{}\"; give asked, peak or missed", bytes)};
  if ((bytes == "missed") != options.given("plan"))
    throw Failure{kUsage, bytes == "missed"
                              ? "--stacks missed needs --plan, which the trace is replayed against"
                              : "--plan is only for --stacks missed"};
  for (const char* other : {"json", "csv", "perfetto"})
    if (options.given(other))
      throw Failure{kUsage, fmt::format("--stacks prints stacks alone; leave out --{}", other)};
}

// Stops where only a few rare allocations would be left of the answer: "no call stack" for all is none.
void require_stacks(const Trace& trace) {
  if (planner::has_stacks(trace)) return;
  throw Failure{kInput,
                fmt::format("{} has no call stacks; record it with memomalloc profile --stacks", trace.path)};
}

std::vector<Trace> read_chosen(const Options& options, const std::string& path, bool as_served) {
  std::vector<Trace> traces = as_served ? read_traces_as_served({path}) : read_traces({path});
  if (options.given("passes-by"))
    static_cast<void>(choose_passes(traces, wanted_passes(options.text("passes-by"))));
  require_stacks(traces.front());
  return traces;
}

CallTree recorded_stacks(const Trace& trace, bool at_peak) {
  const planner::TraceSummary summary = planner::summarise(trace);
  Symbolizer symbols(trace);
  return planner::by_call_stack(
      trace, at_peak ? planner::alive_at_peak(summary.counted) : planner::asked_for(summary.counted),
      symbols);
}

CallTree missed_stacks(const Options& options, Trace& trace) {
  Symbolizer symbols(trace);
  const planner::PlanDescription plan = read_plan(options.text("plan"));
  return planner::by_call_stack(trace, missed_by(plan, trace), symbols);
}

}  // namespace

int inspect_stacks(const Options& options, const std::string& path) {
  require_one_meaning(options);
  const std::string bytes = options.text("stacks");
  std::vector<Trace> traces = read_chosen(options, path, bytes == "missed");
  Trace& trace = traces.front();
  const CallTree tree =
      bytes == "missed" ? missed_stacks(options, trace) : recorded_stacks(trace, bytes == "peak");
  fmt::print("{}", planner::folded(tree));
  spdlog::info("next: memomalloc report {} draws them", path);
  return kOk;
}

}  // namespace memo::cli
