// `memomalloc report`: shows traces, plans and measurements as one page.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "planner/layout/make_plan.h"
#include "planner/problem/soundness.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/passes_by.h"
#include "planner/tool/cli/replay.h"
#include "planner/tool/cli/report_text.h"
#include "planner/tool/cli/solving.h"
#include "planner/tool/cli/strategies.h"
#include "planner/tool/report/answers.h"
#include "planner/tool/report/differences.h"
#include "planner/tool/report/instance_pictures.h"
#include "planner/tool/report/plan_pictures.h"
#include "planner/tool/report/report_json.h"
#include "planner/tool/report/report_page.h"
#include "planner/tool/report/trace_pictures.h"
#include "planner/tool/served/found_worth.h"
#include "planner/trace/pass_answers.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;
using planner::Report;
using planner::Strategy;

using Strategies = std::vector<const Strategy*>;

Strategies chosen_strategies(const std::string& list) {
  if (list == "all") return every_strategy();
  Strategies chosen;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) chosen.push_back(&strategy_named(word));
  return chosen;
}

// The files of a report by kind, each list in the order in which the user named them.
struct Inputs {
  std::vector<std::string> traces;
  std::vector<std::string> plans;
  std::vector<std::string> instances;
  std::vector<std::string> statements;  // JSON files
};

Inputs sort_inputs(const std::vector<std::string>& paths) {
  Inputs inputs;
  for (const std::string& path : paths) {
    switch (kind_of(path)) {
      case FileKind::kPlan:
        inputs.plans.push_back(path);
        break;
      case FileKind::kJson:
        inputs.statements.push_back(path);
        break;
      case FileKind::kCsv:
        inputs.instances.push_back(path);
        break;
      case FileKind::kTrace:
        inputs.traces.push_back(path);
        break;
    }
  }
  return inputs;
}

void append(std::vector<std::string>& notes, std::vector<std::string> more) {
  notes.insert(notes.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// What the strategies have to solve.
struct Tasks {
  std::vector<planner::Trace> traces;
  planner::Variants variants;
  std::vector<planner::Instance> instances;  // in the order of their files
};

std::vector<planner::Trace> read_passes(const Inputs& inputs, const Options& options, ProgressLine& line) {
  line.show({.what = "reading the files"});
  std::vector<planner::Trace> traces = read_traces(inputs.traces);
  std::ranges::for_each(traces, planner::end_answers_with_passes);
  const std::string way = wanted_passes(options.text("passes-by"));
  if (traces.empty()) return traces;
  line.show({.what = "looking for passes"});
  static_cast<void>(choose_passes(traces, way, SolveSession(options, line).deadline()));
  return traces;
}

std::vector<planner::Instance> read_instances(const Inputs& inputs) {
  std::vector<planner::Instance> instances;
  for (const std::string& path : inputs.instances) {
    try {
      instances.push_back(planner::read_csv(read_input(path), path));
    } catch (const planner::CsvError& error) {
      throw Failure{kInput, error.what()};
    }
  }
  return instances;
}

Tasks read_tasks(const Inputs& inputs, const Options& options, ProgressLine& line) {
  Tasks tasks;
  tasks.traces = read_passes(inputs, options, line);
  tasks.variants = planner::variants_to_plan(planner::DistinctPasses(tasks.traces));
  tasks.instances = read_instances(inputs);
  return tasks;
}

// Returns how many solves there are: each strategy has one for each variant and for each instance without places.
std::size_t count_solves(const Tasks& tasks, const Strategies& strategies) {
  const auto placed = static_cast<std::size_t>(std::ranges::count_if(tasks.instances, planner::is_placed));
  return strategies.size() * (tasks.variants.variants.size() + tasks.instances.size() - placed);
}

void add_traces(const Tasks& tasks, const Strategies& strategies, SolveSession& session, Report& report) {
  for (const planner::Trace& trace : tasks.traces) report.sources.push_back({trace.path, "trace"});
  if (!tasks.traces.empty() && tasks.variants.variants.empty())
    report.notes.emplace_back("the traces have no complete pass that allocates");
  planner::TracePictures made =
      planner::trace_pictures(tasks.traces, tasks.variants, strategies, session.limits(),
                              [&](const std::string& what) { session.begin(what); });
  planner::merge(report.pictures, std::move(made.pictures));
  append(report.notes, std::move(made.notes));
}

// Refuses plans that cannot be drawn. The arena accepts plans from other tools in which a block is freed before
// it is allocated, and no figure can show that.
void require_drawable(const std::vector<planner::Picture>& pictures) {
  for (const planner::Picture& picture : pictures) {
    if (const std::string why = planner::unsound(picture.problem); !why.empty())
      throw Failure{kInput, fmt::format("{}, {}: {}", picture.source, picture.title, why)};
  }
}

void add_plans(const Inputs& inputs, Report& report) {
  for (const std::string& path : inputs.plans) {
    std::vector<planner::Picture> pictures =
        planner::plan_pictures(read_plan(path), fs::path(path).filename().string(), path);
    require_drawable(pictures);
    planner::merge(report.pictures, std::move(pictures));
    report.sources.push_back({path, "plan"});
    if (const auto worth = planner::read_found_worth(path))
      report.worths.push_back({fs::path(path).filename().string(), worth->sentence});
  }
}

void add_flows(const Tasks& tasks, Report& report) {
  for (const planner::Trace& trace : tasks.traces)
    if (const planner::Pass* pass = planner::pass_with_flow(planner::summarise(trace)); pass != nullptr)
      report.flows.push_back(planner::flow_graph(trace, *pass));
}

// Adds the flame graphs of the traces that have something to draw; with a plan also those of what the first one sends to the
// heap.
void add_flames(const Inputs& inputs, const Tasks& tasks, Report& report) {
  for (const planner::Trace& trace : tasks.traces) {
    planner::Flames made = planner::flames_of(trace, planner::summarise(trace));
    if (made.graphs.empty()) continue;
    planner::Flames& flames = report.flames.emplace_back(std::move(made));
    if (inputs.plans.empty()) continue;
    std::vector<planner::Trace> served = read_traces_as_served({trace.path});
    const auto missed = missed_by(read_plan(inputs.plans.front()), served.front());
    planner::add_missed(served.front(), missed, flames);
  }
}

void add_instances(const Inputs& inputs, const Tasks& tasks, const Strategies& strategies,
                   SolveSession& session, Report& report) {
  for (std::size_t i = 0; i < tasks.instances.size(); ++i) {
    const std::string& path = inputs.instances[i];
    planner::InstancePicture made =
        planner::instance_picture(tasks.instances[i], path, strategies, session.limits(),
                                  [&](const std::string& what) { session.begin(what); });
    planner::merge(report.pictures, {std::move(made.picture)});
    append(report.notes, std::move(made.notes));
    report.sources.push_back({path, "instance"});
  }
}

bool is_measured(const std::string& text) {
  return text.find("\"speed_figure\"") != std::string::npos;
}

void add_statements(const Inputs& inputs, Report& report) {
  for (const std::string& path : inputs.statements) {
    const std::string text = read_input(path);
    try {
      if (is_measured(text)) {
        report.measured.push_back(planner::read_measured(text, path));
        report.sources.push_back({path, "comparison"});
      } else {
        report.served.push_back(planner::read_served_run(text, path));
        report.sources.push_back({path, "statistics"});
      }
    } catch (const std::runtime_error& error) {
      throw Failure{kInput, error.what()};
    }
  }
}

// Refuses a report without content.
void require_something(const Report& report) {
  if (!report.pictures.empty() || !report.served.empty() || !report.measured.empty()) return;
  throw Failure{kInput, fmt::format("{}; profile a longer run, or name the function that runs a pass with "
                                    "--pass-symbol",
                                    fmt::join(report.notes, "; "))};
}

Report gather(const std::vector<std::string>& paths, const Options& options) {
  const Inputs inputs = sort_inputs(paths);
  const Strategies strategies = chosen_strategies(options.text("strategies"));
  ProgressLine line;
  const Tasks tasks = read_tasks(inputs, options, line);
  SolveSession session(options, line, count_solves(tasks, strategies));
  Report report;
  report.title = fs::path(paths.front()).filename().string();
  add_traces(tasks, strategies, session, report);
  add_plans(inputs, report);
  add_flames(inputs, tasks, report);
  add_flows(tasks, report);
  add_instances(inputs, tasks, strategies, session, report);
  add_statements(inputs, report);
  require_something(report);
  return report;
}

// Compares the report with that on the files of --against.
void add_differences(const Options& options, Report& report) {
  const Report earlier = gather(options.list("against"), options);
  try {
    report.differences = planner::differences_between(earlier, report);
  } catch (const std::runtime_error& error) {
    throw Failure{kInput, error.what()};
  }
  for (const planner::ReportSource& source : earlier.sources)
    report.sources.push_back({source.path, "earlier " + source.kind});
}

std::string output_path(const Options& options) {
  if (options.given("output")) return options.text("output");
  return fs::path(options.list("file").front()).replace_extension(".html").string();
}

// Returns true if a page is to be written: if --output is given, or neither --text nor --json.
bool wants_page(const Options& options) {
  return options.given("output") || (!options.flag("text") && !options.flag("json"));
}

int run_report(const Options& options) {
  if (options.flag("text") && options.flag("json"))
    throw Failure{kUsage, "--text and --json both want stdout; give one of them"};
  const std::string path = output_path(options);
  if (wants_page(options)) require_writable(path, options.flag("force"));
  Report report = gather(options.list("file"), options);
  if (options.given("against")) add_differences(options, report);
  for (const std::string& note : report.notes) spdlog::warn("{}", note);
  if (options.flag("text")) fmt::print("{}", report_text(report));
  if (options.flag("json"))
    fmt::print("{}\n", planner::report_json(report, planner::Columns::kPlain)
                           .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  if (wants_page(options)) {
    write_output(path, planner::report_page(report));
    spdlog::info("the report is in {}; open it in any browser", path);
  }
  if (const std::string next = planner::next_command(report); !next.empty()) spdlog::info("next: {}", next);
  return kOk;
}

}  // namespace

std::function<int()> declare_report(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "report");
  return [options] { return run_report(*options); };
}

}  // namespace memo::cli
