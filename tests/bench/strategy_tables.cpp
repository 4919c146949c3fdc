// Prints, as Markdown: both tables of Pisarchyk & Lee with the published figures beside ours, and every strategy on
// every network with its height and planning time. `strategy_tables [SECONDS]`: the limit for strategies that would
// go on improving (default 5).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/networks/networks.h"
#include "tests/bench/networks/published_cells.h"
#include "tests/planner/registry/oracles/every_strategy.h"

namespace memo::bench {
namespace {

using planner::Bytes;
using planner::Outcome;
using planner::Problem;

std::string mib(Bytes bytes) {
  return fmt::format("{:.3f}", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

std::string beside(const Cell& cell) {
  return fmt::format("{} / {:.3f}{}", mib(cell.ours), cell.published, cell.agrees() ? "" : " ≠");
}

std::string name_of(const Row& row) {
  return fmt::format("{}{}", row.network, row.same_graph ? "" : " (another graph)");
}

void print_row(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
}

void print_head(const std::vector<std::string>& cells) {
  print_row(cells);
  print_row(std::vector<std::string>(cells.size(), "---"));
}

void print_table(const char* title, const std::vector<Row>& rows) {
  fmt::print("### {}, MiB, ours / published\n\n", title);
  std::vector<std::string> head{"network"};
  for (const Cell& cell : rows.front().cells) head.emplace_back(cell.column);
  print_head(head);
  for (const Row& row : rows) {
    std::vector<std::string> cells{name_of(row)};
    for (const Cell& cell : row.cells) cells.push_back(beside(cell));
    print_row(cells);
  }
}

// Prints the cells that differ (≠), those of a network with the same reason in one line.
void print_differences(const std::vector<Row>& rows) {
  fmt::print("\n");
  print_head({"network", "cells that differ", "why"});
  for (const Row& row : rows) {
    std::map<std::string_view, std::vector<std::string_view>> columns;
    for (const Cell& cell : row.cells) {
      if (!cell.agrees()) columns[cell.reason].push_back(cell.column);
    }
    for (const auto& [reason, names] : columns)
      print_row({name_of(row), fmt::format("{}", fmt::join(names, ", ")), std::string(reason)});
  }
  fmt::print("\n");
}

void print_graphs() {
  print_head({"network", "is the graph the paper's?"});
  for (const Network& network : networks())
    print_row({std::string(network.name), std::string(network.same_graph)});
}

void print_published() {
  for (const auto& [title, rows] :
       {std::pair{"Shared objects (table 1 of the paper)", shared_objects_table()},
        std::pair{"Offsets (table 2 of the paper)", offsets_table()}}) {
    print_table(title, rows);
    print_differences(rows);
  }
  print_graphs();
}

struct Timed {
  Outcome outcome;
  double milliseconds;
};

// The best of three runs, or the only one when it takes long.
Timed time_solve(const planner::Strategy& strategy, const Problem& problem, double seconds) {
  constexpr double kLong = 100;
  Timed best{{}, 0};
  for (int run = 0; run < 3 && (run == 0 || best.milliseconds < kLong); ++run) {
    planner::Limits limits;
    limits.seconds = seconds;
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome = strategy.solve(problem, limits);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    if (run == 0 || taken.count() < best.milliseconds) best = {std::move(outcome), taken.count()};
  }
  return best;
}

std::string cell(const planner::Strategy& strategy, const Problem& problem, double seconds) {
  if (!strategy.refusal(problem).empty()) return "refused";
  const Timed timed = time_solve(strategy, problem, seconds);
  const bool optimal = timed.outcome.status == planner::Status::kOptimal;
  return fmt::format("{}{}, {:.3g} ms", mib(timed.outcome.height), optimal ? " *" : "", timed.milliseconds);
}

void print_comparison(double seconds) {
  fmt::print("\n### Every strategy, height in MiB and planning time (* proved optimal)\n\n");
  std::vector<std::string> head{"strategy"};
  std::vector<Problem> problems;
  for (const Network& network : networks()) {
    problems.push_back(network.make());
    head.push_back(fmt::format("{} ({})", network.name, problems.back().buffers.size()));
  }
  print_head(head);
  for (const planner::Strategy& strategy : planner::every_strategy()) {
    std::vector<std::string> row{std::string(strategy.name)};
    for (const Problem& problem : problems) row.push_back(cell(strategy, problem, seconds));
    print_row(row);
  }
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 5.0;
  if (seconds <= 0) {
    fmt::print(stderr, "strategy_tables: the limit of seconds is \"{}\"; it must be a number above 0\n",
               argv[1]);
    return 2;
  }
  memo::bench::print_published();
  memo::bench::print_comparison(seconds);
  return 0;
}
