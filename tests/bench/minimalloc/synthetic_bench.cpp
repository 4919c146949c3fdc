// Prints, as Markdown, what figure 10 of MiniMalloc shows: for each number of buffers the median time of each solver and
// the share that it solved, over the problems of suite.h.
//
//   synthetic_bench [--seconds 1] [--nodes N] [--problems 25] [--solvers absolute-csp,meta-csp,mip,telamalloc,canonical]
//                   [--folder FOLDER]
//
// With --nodes, these are the limit instead of the time, so that the shares are the same on every machine. With --folder,
// a last row has the instances of that folder, whose capacities are in their names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "planner/literature/telamalloc.h"
#include "tests/bench/instances.h"
#include "tests/bench/minimalloc/absolute_csp.h"
#include "tests/bench/minimalloc/meta_csp.h"
#include "tests/bench/minimalloc/solved_share.h"
#include "tests/bench/minimalloc/suite.h"
#include "tests/bench/run_program.h"
#include "tests/planner/registry/oracles/every_strategy.h"

namespace memo::bench {
namespace {

struct Solver {
  std::string name;
  std::function<planner::Outcome(const planner::Problem&, const planner::Limits&)> solve;
};

struct Settings {
  double seconds = 1;
  std::optional<std::uint64_t> nodes;
  std::filesystem::path folder;
  int problems = 25;
  std::vector<std::string> solvers{"absolute-csp", "meta-csp", "mip", "telamalloc", "canonical"};
};

// `telamalloc` with parts left out.
planner::Outcome solve_without_bounds(const planner::Problem& problem, const planner::Limits& limits) {
  return solve_telamalloc(problem, limits, {.propagates = false, .returns = planner::latest_target});
}

planner::Outcome solve_without_model(const planner::Problem& problem, const planner::Limits& limits) {
  return solve_telamalloc(problem, limits, {.returns = planner::latest_target});
}

// Throws std::invalid_argument for an unknown name.
Solver solver_named(const std::string& name) {
  if (name == "absolute-csp") return {name, solve_absolute_csp};
  if (name == "meta-csp") return {name, solve_meta_csp};
  if (name == "telamalloc-without-both") return {name, solve_without_bounds};
  if (name == "telamalloc-without-model") return {name, solve_without_model};
  const planner::Strategy* strategy = planner::find_any(name);
  if (strategy == nullptr)
    throw std::invalid_argument(
        fmt::format("no solver \"{}\": there are absolute-csp, meta-csp, telamalloc-without-both, "
                    "telamalloc-without-model and what `memomalloc pack --list-strategies` names",
                    name));
  return {name, strategy->solve};
}

void print_row(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
  std::fflush(stdout);
}

std::string cell(const SolvedShare& share) {
  return fmt::format("{:.3f} ms, {:.0f} %", share.median_milliseconds(), share.solved_percent());
}

// Solves the problems with each solver, and prints their row.
std::vector<SolvedShare> measure(const std::string& name, const std::vector<planner::Problem>& problems,
                                 const Settings& settings, const std::vector<Solver>& solvers) {
  planner::Limits limits;
  limits.nodes = settings.nodes;
  if (!settings.nodes) limits.seconds = settings.seconds;
  std::vector<std::string> cells{name};
  std::vector<SolvedShare> shares;
  for (const Solver& solver : solvers) {
    SolvedShare& share = shares.emplace_back();
    for (const planner::Problem& problem : problems) share.run(problem, limits, solver.solve);
    cells.push_back(cell(share));
  }
  print_row(cells);
  return shares;
}

void print_table(const Settings& settings) {
  std::vector<Solver> solvers;
  std::vector<std::string> head{"buffers"};
  for (const std::string& name : settings.solvers) {
    solvers.push_back(solver_named(name));
    head.push_back(name);
  }
  print_row(head);
  print_row(std::vector<std::string>(head.size(), "---"));
  std::vector<SolvedShare> totals(solvers.size());
  for (int buffers = kLeastBuffers; buffers <= kMostBuffers; buffers += kBufferStep) {
    const std::vector<SolvedShare> shares = measure(
        fmt::format("{}", buffers), synthetic_problems(buffers, settings.problems), settings, solvers);
    for (std::size_t i = 0; i < shares.size(); ++i) totals[i].add(shares[i]);
  }
  std::vector<std::string> cells{"all"};
  for (const SolvedShare& total : totals) cells.push_back(cell(total));
  print_row(cells);
  if (!settings.folder.empty())
    measure("folder", instances_with_capacity(settings.folder), settings, solvers);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Median time and solved share of several solvers on generated problems");
  app.add_option("--seconds", settings.seconds, "The limit of each solve")->check(CLI::PositiveNumber);
  app.add_option("--nodes", settings.nodes, "The limit of each solve in nodes, instead of seconds");
  app.add_option("--problems", settings.problems, "Problems of each size")->check(CLI::Range(1, 1000));
  app.add_option("--folder", settings.folder, "Instances to solve too")->check(CLI::ExistingDirectory);
  app.add_option("--solvers", settings.solvers, "Names with commas between")->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  print_table(settings);
  return 0;
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  return memo::bench::run_program("synthetic_bench", memo::bench::run, argc, argv);
}
