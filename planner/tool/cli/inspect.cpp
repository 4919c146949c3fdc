// `memomalloc inspect`: shows what is in a trace, a plan, or the statistics of a served run.
#include "planner/tool/cli/inspect.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/flow_text.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/next_step.h"
#include "planner/tool/cli/passes_by.h"
#include "planner/tool/report/perfetto.h"
#include "planner/tool/report/statistics.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;
using planner::Trace;

void write_instances(const Trace& trace, const fs::path& folder, bool force) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Failure{kRuntime, fmt::format("cannot make {}: {}", folder.string(), error.message())};
  for (const planner::Pass& pass : trace.passes) {
    const std::string path = (folder / fmt::format("pass-{}.csv", pass.number)).string();
    require_writable(path, force);
    write_output(path, pass_to_csv(trace, pass));
  }
  spdlog::info("{} instances are in {}; next: memomalloc pack --input {}/pass-{}.csv", trace.passes.size(),
               folder.string(), folder.string(), trace.passes.empty() ? 1 : trace.passes.back().number);
}

void write_perfetto(const Trace& trace, const std::string& path, bool force) {
  require_writable(path, force);
  write_output(path, planner::to_perfetto(trace));
  spdlog::info("{} opens in https://ui.perfetto.dev", path);
}

// Refuses options that are meant for other kinds of files.
void refuse(const Options& options, std::initializer_list<const char*> names, const std::string& path,
            const char* kind) {
  for (const char* name : names)
    if (options.given(name))
      throw Failure{kUsage, fmt::format("--{} is not for {}, and {} is one", name, kind, path)};
}

nlohmann::ordered_json read_statistics(const std::string& path) {
  try {
    return planner::parse_statistics(read_input(path), path);
  } catch (const std::runtime_error& error) {
    throw Failure{kInput, error.what()};
  }
}

nlohmann::ordered_json statistics_since(const Options& options, const std::string& path) {
  nlohmann::ordered_json statistics = read_statistics(path);
  if (!options.given("since")) return statistics;
  const std::string earlier = options.text("since");
  try {
    return planner::difference(statistics, read_statistics(earlier));
  } catch (const std::runtime_error& error) {
    throw Failure{kInput, fmt::format("{} cannot be taken from {}: {}", earlier, path, error.what())};
  }
}

int inspect_statistics(const Options& options, const std::string& path) {
  refuse(options, {"passes-by", "csv", "perfetto", "stacks", "data-flow"}, path, "a file of statistics");
  const nlohmann::ordered_json statistics = statistics_since(options, path);
  if (options.given("prometheus")) {
    const std::string output = options.text("prometheus");
    require_writable(output, options.flag("force"));
    write_output(output, planner::prometheus_text(statistics, path));
    spdlog::info("the metrics are in {}, for the textfile collector of node_exporter", output);
    return kOk;
  }
  fmt::print("{}", options.flag("json") ? statistics.dump(2) + "\n"
                                        : planner::describe_statistics(statistics, path));
  spdlog::info("next: memomalloc report {}", path);
  return kOk;
}

int inspect_plan(const Options& options, const std::string& path) {
  refuse(options, {"passes-by", "csv", "perfetto", "stacks", "data-flow", "prometheus", "since"}, path,
         "a plan");
  const planner::PlanDescription plan = read_plan(path);
  fmt::print("{}", options.flag("json") ? to_json(path, plan) : describe(path, plan));
  spdlog::info("next: memomalloc serve --plan {} -- COMMAND", path);
  return kOk;
}

// Prints the data flow alone.
int inspect_flow(const Trace& trace, const planner::TraceSummary& summary) {
  const planner::Pass* pass = planner::pass_with_flow(summary);
  if (pass == nullptr)
    throw Failure{kInput, fmt::format("{} has no data flow; record it with memomalloc profile --data-flow",
                                      trace.path)};
  fmt::print("{}", describe(planner::flow_graph(trace, *pass)));
  spdlog::info("next: memomalloc report {} draws it", trace.path);
  return kOk;
}

int inspect_trace(const Options& options, const std::string& path) {
  refuse(options, {"prometheus", "since"}, path, "a trace");
  if (options.given("stacks") || options.given("plan")) return inspect_stacks(options, path);
  std::vector<Trace> traces = read_traces({path});
  const PassesBy passes = options.given("passes-by")
                              ? choose_passes(traces, wanted_passes(options.text("passes-by")))
                              : PassesBy{};
  const Trace& trace = traces.front();
  const planner::TraceSummary summary = planner::summarise(trace);
  if (options.flag("data-flow") && !options.flag("json")) return inspect_flow(trace, summary);
  fmt::print("{}", options.flag("json") ? to_json(passes, trace, summary) : describe(passes, trace, summary));
  if (options.given("csv")) write_instances(trace, options.text("csv"), options.flag("force"));
  if (options.given("perfetto")) write_perfetto(trace, options.text("perfetto"), options.flag("force"));
  spdlog::info("{}", next_step(trace, trace.path));
  return kOk;
}

int run_inspect(const Options& options) {
  const std::string path = options.text("file");
  switch (kind_of(path)) {
    case FileKind::kJson:
      return inspect_statistics(options, path);
    case FileKind::kPlan:
      return inspect_plan(options, path);
    default:
      return inspect_trace(options, path);
  }
}

}  // namespace

std::function<int()> declare_inspect(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "inspect");
  return [options] { return run_inspect(*options); };
}

}  // namespace memo::cli
