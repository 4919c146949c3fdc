// Prints, as Markdown: both tables of Pisarchyk & Lee with the published figures beside ours, and every strategy on
// every network with its height and planning time. `strategy_tables [SECONDS]`: the limit for strategies that would
// go on improving (default 5).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "planner/literature/mincost_flow.h"
#include "planner/literature/shared_objects.h"
#include "planner/registry/registry.h"
#include "tests/bench/networks/networks.h"

namespace memo::bench {
namespace {

using planner::Bytes;
using planner::Outcome;
using planner::Problem;

std::string mib(Bytes bytes) {
  return fmt::format("{:.3f}", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

std::string beside(Bytes ours, double published) {
  return fmt::format("{} / {:.3f}", mib(ours), published);
}

Bytes sum_of_sizes(const Problem& problem) {
  Bytes total = 0;
  for (const planner::Buffer& buffer : problem.buffers) total += buffer.size;
  return total;
}

Bytes height_by(const char* strategy, const Problem& problem) {
  return planner::find_strategy(strategy)->solve(problem, {}).height;
}

void print_row(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
}

void print_head(const std::vector<std::string>& cells) {
  print_row(cells);
  print_row(std::vector<std::string>(cells.size(), "---"));
}

void print_objects() {
  fmt::print("### Shared objects (table 1 of the paper), MiB, ours / published\n\n");
  print_head({"network", "shared-size", "shared-size-improved", "shared-breadth", "greedy-order",
              "mincost-flow", "lower bound", "naive"});
  for (const Network& network : networks()) {
    const Problem problem = network.make();
    const PublishedObjects& published = network.objects;
    const Bytes flow = planner::object_bytes(problem, planner::cheapest_takeovers(problem, {}));
    print_row({std::string(network.name), beside(height_by("shared-size", problem), published.greedy_size),
               beside(height_by("shared-size-improved", problem), published.greedy_size_improved),
               beside(height_by("shared-breadth", problem), published.greedy_breadth),
               beside(height_by("greedy-order", problem), published.greedy_order),
               beside(flow, published.mincost_flow),
               beside(planner::shared_objects_bound(problem), published.lower_bound),
               beside(sum_of_sizes(problem), network.published_naive)});
  }
}

void print_offsets() {
  fmt::print("\n### Offsets (table 2 of the paper), MiB, ours / published\n\n");
  print_head(
      {"network", "greedy-size", "greedy-breadth", "greedy-order", "strip-packing", "lower bound", "naive"});
  for (const Network& network : networks()) {
    const Problem problem = network.make();
    const PublishedOffsets& published = network.offsets;
    print_row({std::string(network.name), beside(height_by("greedy-size", problem), published.greedy_size),
               beside(height_by("greedy-breadth", problem), published.greedy_breadth),
               beside(height_by("greedy-order", problem), published.greedy_order),
               beside(height_by("strip-packing", problem), published.strip_packing),
               beside(planner::peak_live_bytes(problem), published.lower_bound),
               beside(sum_of_sizes(problem), network.published_naive)});
  }
  fmt::print("\n| network | is the graph the paper's? |\n| --- | --- |\n");
  for (const Network& network : networks())
    print_row({std::string(network.name), std::string(network.same_graph)});
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
  for (const planner::Strategy& strategy : planner::all_strategies()) {
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
  memo::bench::print_objects();
  memo::bench::print_offsets();
  memo::bench::print_comparison(seconds);
  return 0;
}
