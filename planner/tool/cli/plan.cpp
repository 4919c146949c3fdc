// `memomalloc plan`: makes a plan from traces.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "planner/check/check_plan.h"
#include "planner/check/servable.h"
#include "planner/layout/make_plan.h"
#include "planner/plan/c_header.h"
#include "planner/plan/plan_json.h"
#include "planner/plan/plan_writer.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/inspect.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/order_text.h"
#include "planner/tool/cli/plan_report.h"
#include "planner/tool/cli/plan_sources.h"
#include "planner/tool/cli/solving.h"
#include "planner/tool/text/numbers.h"
#include "planner/trace/symbols.h"

namespace memo::cli {
namespace {

using planner::PlannedVariants;
using planner::Variants;

namespace fs = std::filesystem;

// Returns the traces in and below a folder. Skips folders that may not be read.
std::vector<std::string> traces_below(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, skip, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code unknown;
    if (at->path().extension() == ".trace" && !at->is_directory(unknown))
      found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  if (error) spdlog::warn("cannot list all of {}: {}", folder, error.message());
  if (found.empty()) spdlog::warn("{} has no file named *.trace in it, nor below it", folder);
  return found;
}

// Returns what is equal for two names of one file.
std::string identity_of(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  return error ? path : whole.string();
}

// Returns the files. A folder stands for all files in it and below it whose names end in ".trace", sorted. A file that is
// named twice is returned once, since its passes must not count twice. Warns of a folder without traces. Throws
// Failure(kInput) if there is no file at all.
std::vector<std::string> trace_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  std::set<std::string> known;
  const auto add = [&](const std::string& path) {
    if (known.insert(identity_of(path)).second) files.push_back(path);
  };
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (fs::is_directory(argument, error))
      std::ranges::for_each(traces_below(argument), add);
    else
      add(argument);
  }
  if (files.empty())
    throw Failure{kInput, fmt::format("there is no trace in {}; memomalloc profile records one",
                                      fmt::join(arguments, ", "))};
  return files;
}

// Returns the traces by name, or their number if they are many.
std::string named(const std::vector<std::string>& paths) {
  constexpr std::size_t kMostNamed = 4;
  if (paths.size() > kMostNamed) return fmt::format("the {} traces", paths.size());
  return fmt::format("{}", fmt::join(paths, ", "));
}

Variants require_passes(Variants variants, const std::vector<std::string>& paths) {
  if (variants.variants.empty())
    throw Failure{
        kInput, fmt::format("{} {} no complete pass that allocates ({} were cut off); profile a longer run, "
                            "or name the function that runs a pass with --pass-symbol",
                            named(paths), paths.size() == 1 ? "has" : "have", variants.incomplete)};
  if (!variants.steady)
    spdlog::warn(
        "no pass ran twice alike, so this plan is made from the last one alone; profile more passes");
  if (variants.asked_by_last_alone != 0)
    spdlog::warn(
        "the last pass asks for {}, more than any that came twice, and came once; passes like it are left to the heap, so "
        "profile more passes",
        planner::human_bytes(variants.asked_by_last_alone));
  if (variants.watched)
    spdlog::warn(
        "these passes were recorded with --data-flow, and hold what the watching asks for; to serve, plan together with "
        "a trace that was recorded without");
  return variants;
}

PlannedVariants solve(const Variants& variants, const Options& options, ProgressLine& line) {
  const std::size_t count = variants.variants.size();
  SolveSession session(options, line, count);
  std::size_t number = 0;
  try {
    return planner::plan_variants(
        variants, chosen_strategy(options), session.limits(),
        [&](const planner::Variant&) { session.begin(fmt::format("variant {} of {}", ++number, count)); });
  } catch (const planner::PlanningFailed& error) {
    throw Failure{kNoPlan, error.what()};
  }
}

void require_valid(const PlannedVariants& planned) {
  const planner::Verdict verdict = planner::check_plan(planned.plan);
  if (!verdict.valid())
    throw Failure{kCheckFailed,
                  fmt::format("the plan is not valid: {}; please report this", verdict.sentence)};
}

// Returns the default name of the plan: beside the first trace, or beside a folder of traces.
std::string plan_beside(const std::filesystem::path& source) {
  if (!std::filesystem::is_directory(source))
    return std::filesystem::path(source).replace_extension(".plan").string();
  return std::filesystem::canonical(source).string() + ".plan";
}

std::string output_path(const Options& options) {
  if (options.given("output")) return options.text("output");
  const std::string source =
      options.given("from-json") ? options.text("from-json") : options.list("trace").front();
  if (source == "-") throw Failure{kUsage, "a plan made from stdin needs --output FILE"};
  return plan_beside(source);
}

void deliver(const planner::PlanDescription& plan, const std::string& path) {
  try {
    planner::write_plan(plan, path);
  } catch (const std::exception& error) {
    throw Failure{kRuntime, error.what()};
  }
  spdlog::info("the plan is in {0}; next: memomalloc serve --plan {0} -- COMMAND", path);
}

// Writes the C header first where one is wanted, so that there is no plan beside an error.
void deliver_all(const planner::PlanDescription& plan, const Options& options, const std::string& output) {
  if (options.given("emit-c")) {
    const std::string reason = planner::why_no_c_header(plan);
    if (!reason.empty()) throw Failure{kNoPlan, fmt::format("no C header was written: {}", reason)};
    planner::PlanDescription named = plan;
    for (planner::PlanScopeDescription& scope : named.variants.front().scopes)
      scope.name = planner::readable_name(scope.name);
    write_output(options.text("emit-c"), planner::to_c_header(named, options.text("emit-c")));
    spdlog::info("the C header is in {}", options.text("emit-c"));
  }
  deliver(plan, output);
}

void require_one_source(const Options& options) {
  if (options.given("trace") == options.given("from-json"))
    throw Failure{kUsage,
                  "plan needs either traces, which `memomalloc profile` records, or --from-json FILE"};
}

int plan_from_json(const Options& options, const std::string& output) {
  const std::string path = options.text("from-json");
  try {
    const planner::PlanDescription plan = planner::plan_from_json(read_input(path));
    planner::require_servable(plan);
    fmt::print("{}", options.flag("json") ? to_json(output, plan) : describe(output, plan));
    deliver_all(plan, options, output);
  } catch (const std::runtime_error& error) {
    throw Failure{kInput, fmt::format("{} is no plan: {}", path, error.what())};
  }
  return kOk;
}

// What was planned, and from which passes.
struct Made {
  PlanSources sources;
  Variants variants;
  PlannedVariants planned;
};

void make_plan(const Options& options, Made& made) {
  ProgressLine line;
  const std::vector<std::string> paths = trace_files(options.list("trace"));
  read_sources(paths, options, line, made.sources);
  const planner::PlanWishes wishes{.anchors = made.sources.by.anchors,
                                   .warm_up = static_cast<std::size_t>(options.number("warm-up")),
                                   .keep_parallel = options.flag("keep-parallel")};
  made.variants = require_passes(planner::variants_to_plan(made.sources.passes, wishes), paths);
  if (options.flag("steady") && !made.variants.steady)
    throw Failure{kNoPlan, "no pass ran twice alike, and a plan of others was not wanted"};
  made.planned = solve(made.variants, options, line);
}

// Returns the first trace with data flow, with its labels: they say which part of the model an operator belongs to.
planner::Trace trace_with_flow(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    planner::Trace trace = std::move(read_traces({path}).front());
    if (planner::pass_with_flow(planner::summarise(trace)) != nullptr) return trace;
  }
  throw Failure{
      kInput,
      fmt::format("--reorder needs data flow, and {} {} none; record with memomalloc profile --data-flow",
                  named(paths), paths.size() == 1 ? "has" : "have")};
}

struct Advice {
  planner::FlowGraph graph;
  planner::OrderAdvice order;
};

Advice advise(const std::vector<std::string>& paths) {
  const planner::Trace trace = trace_with_flow(paths);
  const planner::Pass& pass = *planner::pass_with_flow(planner::summarise(trace));
  return {.graph = planner::flow_graph(trace, pass), .order = planner::advise_order(pass)};
}

int plan_from_traces(const Options& options, const std::string& output) {
  const std::optional<Advice> advice =
      options.flag("reorder") ? std::optional(advise(trace_files(options.list("trace")))) : std::nullopt;
  Made made;
  make_plan(options, made);
  require_valid(made.planned);
  fmt::print("{}", options.flag("json")
                       ? to_json(made.sources, made.variants, made.planned, advice ? &advice->order : nullptr)
                       : describe(made.sources, made.variants, made.planned));
  if (advice && !options.flag("json")) fmt::print("{}", describe(advice->graph, advice->order));
  deliver_all(made.planned.plan, options, output);
  return kOk;
}

int run_plan(const Options& options) {
  require_one_source(options);
  const std::string output = output_path(options);
  require_writable(output, options.flag("force"));
  if (options.given("emit-c")) require_writable(options.text("emit-c"), options.flag("force"));
  return options.given("from-json") ? plan_from_json(options, output) : plan_from_traces(options, output);
}

}  // namespace

std::function<int()> declare_plan(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "plan");
  return [options] { return run_plan(*options); };
}

}  // namespace memo::cli
