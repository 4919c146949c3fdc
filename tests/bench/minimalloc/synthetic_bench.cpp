// Prints, as Markdown, what figure 10 of MiniMalloc shows: for each number of buffers the median time of each solver and
// the share that it solved, over the problems of suite.h.
//
//   synthetic_bench [--seconds 1] [--problems 25] [--solvers absolute-csp,meta-csp,mip,telamalloc,canonical]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "planner/registry/registry.h"
#include "tests/bench/minimalloc/absolute_csp.h"
#include "tests/bench/minimalloc/meta_csp.h"
#include "tests/bench/minimalloc/solved_share.h"
#include "tests/bench/minimalloc/suite.h"
#include "tests/bench/run_program.h"

namespace memo::bench {
namespace {

struct Solver {
  std::string name;
  planner::Outcome (*solve)(const planner::Problem&, const planner::Limits&);
};

struct Settings {
  double seconds = 1;
  int problems = 25;
  std::vector<std::string> solvers{"absolute-csp", "meta-csp", "mip", "telamalloc", "canonical"};
};

// Throws std::invalid_argument for an unknown name.
Solver solver_named(const std::string& name) {
  if (name == "absolute-csp") return {name, solve_absolute_csp};
  if (name == "meta-csp") return {name, solve_meta_csp};
  const planner::Strategy* strategy = planner::find_strategy(name);
  if (strategy == nullptr)
    throw std::invalid_argument(fmt::format(
        "no solver \"{}\": there are absolute-csp, meta-csp and what `memomalloc pack --list-strategies` names",
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

// Solves all problems of a size with each solver, and adds them to the totals.
void measure_size(int buffers, const Settings& settings, const std::vector<Solver>& solvers,
                  std::vector<SolvedShare>& totals) {
  planner::Limits limits;
  limits.seconds = settings.seconds;
  const std::vector<planner::Problem> problems = synthetic_problems(buffers, settings.problems);
  std::vector<std::string> cells{fmt::format("{}", buffers)};
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    SolvedShare share;
    for (const planner::Problem& problem : problems) share.run(problem, limits, solvers[i].solve);
    totals[i].add(share);
    cells.push_back(cell(share));
  }
  print_row(cells);
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
  for (int buffers = kLeastBuffers; buffers <= kMostBuffers; buffers += kBufferStep)
    measure_size(buffers, settings, solvers, totals);
  std::vector<std::string> cells{"all"};
  for (const SolvedShare& total : totals) cells.push_back(cell(total));
  print_row(cells);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Median time and solved share of several solvers on generated problems");
  app.add_option("--seconds", settings.seconds, "The limit of each solve")->check(CLI::PositiveNumber);
  app.add_option("--problems", settings.problems, "Problems of each size")->check(CLI::Range(1, 1000));
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
