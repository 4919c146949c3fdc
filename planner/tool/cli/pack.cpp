// `memomalloc pack`: runs the planner alone, on an instance given as CSV.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "planner/check/check.h"
#include "planner/placing/outcome.h"
#include "planner/placing/strategy.h"
#include "planner/problem/bounds.h"
#include "planner/problem/csv.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/solving.h"
#include "planner/tool/cli/strategies.h"
#include "planner/tool/literature/exchange.h"
#include "planner/tool/report/live_bytes.h"
#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using planner::Instance;
using planner::Outcome;
using planner::Strategy;

struct PackResult {
  const planner::Instance& instance;
  const planner::Strategy& strategy;
  const planner::Outcome& outcome;
};

using planner::BufferIndex;
using planner::Peak;
using planner::Status;

// The most names that a line lists. A longer list would help no reader.
constexpr std::size_t kNamesShown = 8;

std::string plural(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string height_line(const planner::Outcome& outcome) {
  if (outcome.status == Status::kInfeasible || outcome.status == Status::kTimeout) return "none";
  return fmt::format("{} ({}, {} over the bound)", outcome.height, planner::human_bytes(outcome.height),
                     planner::over_bound(outcome.height, outcome.lower_bound));
}

std::string members(const PackResult& result, const Peak& peak) {
  std::string text;
  const std::size_t shown = std::min(kNamesShown, peak.buffers.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const BufferIndex index = peak.buffers[i];
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", result.instance.ids[index],
                        result.instance.problem.buffers[index].size);
  }
  if (shown < peak.buffers.size()) text += fmt::format(" and {} more", peak.buffers.size() - shown);
  return text;
}

std::string clique_sentence(const PackResult& result, const Peak& peak) {
  return fmt::format("{} alive together in [{}, {}) take {} bytes: {}.",
                     plural(peak.buffers.size(), "buffer"), peak.during.begin, peak.during.end, peak.bytes,
                     members(result, peak));
}

std::string explain_infeasible(const PackResult& result, const Peak& peak) {
  const planner::Bytes capacity = result.instance.problem.capacity.value_or(0);
  if (peak.bytes > capacity) {
    return fmt::format("no plan fits {} bytes: {}", capacity, clique_sentence(result, peak));
  }
  return fmt::format("no plan fits {} bytes; {}. The sizes alone would fit: {}", capacity,
                     result.outcome.note, clique_sentence(result, peak));
}

std::string explain_no_answer(const PackResult& result) {
  return fmt::format("{} ended without a plan and without a proof that there is none: {}",
                     result.strategy.name,
                     result.outcome.note.empty() ? "its limits ran out" : result.outcome.note);
}

std::string what_raises_the_bound(const PackResult& result, const Peak& peak) {
  const planner::Bytes by_sweep = planner::lower_bound(result.instance.problem);
  std::string text;
  if (by_sweep > peak.bytes)
    text = fmt::format(" Alignment and fixed offsets raise the bound to {}.", by_sweep);
  if (result.outcome.lower_bound > by_sweep) {
    text += fmt::format(" A search through all plans proves that {} are needed.", result.outcome.lower_bound);
  }
  return text;
}

std::string explain_height(const PackResult& result, const Peak& peak) {
  std::string text = "what forces the height: " + clique_sentence(result, peak);
  text += what_raises_the_bound(result, peak);
  if (peak.elsewhere < peak.bytes) {
    text += fmt::format(" At every other moment at most {} bytes are alive.", peak.elsewhere);
  } else {
    text += " Other moments reach the same peak.";
  }
  return text;
}

std::vector<std::string> names_of(const PackResult& result, const Peak& peak) {
  std::vector<std::string> names;
  names.reserve(peak.buffers.size());
  for (const BufferIndex index : peak.buffers) names.push_back(result.instance.ids[index]);
  return names;
}

std::string printable(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Returns a table of the result.
// Describe the strategies: what each does, its cost, its guarantee.
std::string describe(const PackResult& result) {
  const planner::Outcome& outcome = result.outcome;
  return fmt::format(
      "status       {}\n"
      "height       {}\n"
      "lower bound  {} ({})\n"
      "buffers      {}\n"
      "strategy     {}\n"
      "nodes        {}\n"
      "seconds      {:.3f}\n",
      planner::to_string(outcome.status), height_line(outcome), outcome.lower_bound,
      planner::human_bytes(outcome.lower_bound), result.instance.ids.size(), result.strategy.name,
      outcome.nodes, *outcome.seconds);
}

// Returns which buffers force the height, and at which moment, or why there is no plan.
std::string explain(const PackResult& result) {
  if (result.instance.problem.buffers.empty()) return "there is nothing to place";
  const Peak peak = planner::peak_of(result.instance.problem);
  switch (result.outcome.status) {
    case Status::kInfeasible:
      return explain_infeasible(result, peak);
    case Status::kTimeout:
      return explain_no_answer(result);
    case Status::kOptimal:
    case Status::kFeasible:
      break;
  }
  return explain_height(result, peak);
}

// Returns the JSON object that `pack --json` promises. `height` is null if there is no plan.
std::string to_json(const PackResult& result) {
  const planner::Problem& problem = result.instance.problem;
  const planner::Outcome& outcome = result.outcome;
  const Peak peak = planner::peak_of(problem);
  const bool found = outcome.status == Status::kOptimal || outcome.status == Status::kFeasible;
  nlohmann::ordered_json json;
  json["status"] = planner::to_string(outcome.status);
  json["height"] = found ? nlohmann::ordered_json(outcome.height) : nullptr;
  json["lower_bound"] = outcome.lower_bound;
  json["capacity"] = problem.capacity ? nlohmann::ordered_json(*problem.capacity) : nullptr;
  json["buffers"] = problem.buffers.size();
  json["strategy"] = result.strategy.name;
  json["seconds"] = *outcome.seconds;
  json["nodes"] = outcome.nodes;
  json["peak"] = {{"begin", peak.during.begin},
                  {"end", peak.during.end},
                  {"bytes", peak.bytes},
                  {"elsewhere", peak.elsewhere},
                  {"buffers", names_of(result, peak)}};
  if (!outcome.note.empty()) json["note"] = outcome.note;
  return printable(json);
}

std::string describe(const std::vector<const planner::Strategy*>& strategies) {
  std::string text;
  for (const planner::Strategy* strategy : strategies) {
    text += fmt::format("{}\n  {}\n  cost: {}\n  guarantee: {}\n", strategy->name, strategy->summary,
                        strategy->cost, strategy->guarantee);
  }
  return text;
}

std::string to_json(const std::vector<const planner::Strategy*>& strategies) {
  return printable(planner::to_json(strategies));
}

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
