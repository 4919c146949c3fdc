// `memomalloc pack`: runs the planner alone, on an instance given as CSV.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "planner/check/check.h"
#include "planner/placing/outcome.h"
#include "planner/placing/strategy.h"
#include "planner/problem/csv.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/pack_report.h"
#include "planner/tool/cli/solving.h"
#include "planner/tool/cli/strategies.h"

namespace memo::cli {
namespace {

using planner::Instance;
using planner::Outcome;
using planner::Strategy;

int list_strategies(bool as_json) {
  const std::vector<const Strategy*> all = every_strategy();
  fmt::print("{}", as_json ? to_json(all) : describe(all));
  return kOk;
}

Instance read_instance(const Options& options) {
  const std::string path = options.text("input");
  try {
    Instance instance = planner::read_csv(read_input(path), path == "-" ? "stdin" : path);
    if (options.given("capacity")) instance.problem.capacity = options.number("capacity");
    return instance;
  } catch (const planner::CsvError& error) {
    throw Failure{kInput, error.what()};
  }
}

void require_within_reach(const Strategy& strategy, const Instance& instance) {
  const std::string why = strategy.refusal(instance.problem);
  if (why.empty()) return;
  throw Failure{kInput, fmt::format("the strategy {} does not take this problem: {}; see --list-strategies",
                                    strategy.name, why)};
}

bool has_plan(const Outcome& outcome) {
  return outcome.status == planner::Status::kOptimal || outcome.status == planner::Status::kFeasible;
}

// Throws unless the checker, which knows nothing of the strategies, accepts the plan. No plan leaves the
// command without that.
void require_valid(const Strategy& strategy, const Instance& instance, const Outcome& outcome) {
  const planner::Verdict verdict = planner::check_by_sweep(instance.problem, outcome.offsets);
  if (verdict.valid()) return;
  throw Failure{kCheckFailed,
                fmt::format("the plan of {} is not valid ({}): {}; please report this", strategy.name,
                            planner::to_string(verdict.fault), verdict.sentence)};
}

void report(const PackResult& result, bool as_json) {
  fmt::print("{}", as_json ? to_json(result) : describe(result));
  std::fflush(stdout);
  if (InterruptGuard::requested()) spdlog::warn("interrupted; this is the best so far");
  if (has_plan(result.outcome)) {
    spdlog::info("{}", explain(result));
  } else {
    spdlog::error("{}", explain(result));
  }
}

void deliver(const Options& options, const PackResult& result) {
  const std::string input = options.text("input");
  if (!options.given("output")) {
    spdlog::info("next: memomalloc pack --input {} --strategy {} --output {}.plan.csv", input,
                 result.strategy.name, input == "-" ? "instance" : input);
    return;
  }
  const std::string output = options.text("output");
  write_output(output, planner::write_csv(result.instance, result.outcome.offsets));
  spdlog::info("the offsets are in {0}; next, to check them as fixed places: memomalloc pack --input {0}",
               output);
}

Outcome solve(const Strategy& strategy, const Instance& instance, const Options& options) {
  ProgressLine line;
  SolveSession session(options, line);
  session.begin(std::string(strategy.name));
  return planner::solve_timed(strategy, instance.problem, session.limits());
}

int run_pack(const Options& options) {
  if (options.flag("list-strategies")) return list_strategies(options.flag("json"));
  const Strategy& strategy = chosen_strategy(options);
  if (options.given("output")) require_writable(options.text("output"), options.flag("force"));
  const Instance instance = read_instance(options);
  require_within_reach(strategy, instance);
  const Outcome outcome = solve(strategy, instance, options);
  if (has_plan(outcome)) require_valid(strategy, instance, outcome);
  const PackResult result{instance, strategy, outcome};
  report(result, options.flag("json"));
  if (!has_plan(outcome)) return kNoPlan;
  deliver(options, result);
  return kOk;
}

}  // namespace

std::function<int()> declare_pack(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "pack");
  return [options] { return run_pack(*options); };
}

}  // namespace memo::cli
