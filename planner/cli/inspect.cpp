// `memomalloc inspect`: what is in a trace.
#include "planner/cli/inspect.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>

#include "planner/cli/command.h"
#include "planner/cli/files.h"
#include "planner/report/perfetto.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;
using planner::Trace;

Trace read_trace_or_fail(const std::string& path) {
  try {
    return planner::read_trace(path);
  } catch (const planner::TraceError& error) {
    throw Failure{kInput, error.what()};
  }
}

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

int run_inspect(const Options& options) {
  const Trace trace = read_trace_or_fail(options.text("file"));
  const planner::TraceSummary summary = planner::summarise(trace);
  fmt::print("{}", options.flag("json") ? to_json(trace, summary) : describe(trace, summary));
  if (options.given("csv")) write_instances(trace, options.text("csv"), options.flag("force"));
  if (options.given("perfetto")) write_perfetto(trace, options.text("perfetto"), options.flag("force"));
  spdlog::info("next: memomalloc plan {}", trace.path);
  return kOk;
}

}  // namespace

std::function<int()> declare_inspect(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "inspect");
  return [options] { return run_inspect(*options); };
}

}  // namespace memo::cli
