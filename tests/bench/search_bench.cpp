// Measures how fast `canonical` decides and `auto` minimises, instance by instance.
//
//   search_bench FOLDER [SECONDS]     every .csv below FOLDER; SECONDS is the limit of each solve, 60 by default
//
// The capacity is the number in a name like A.1048576.csv, and the lower bound where there is none. The columns `bump`
// and `greedy` time two simple strategies on the same instance, so that figures of different machines can be compared.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "planner/problem/bounds.h"
#include "planner/registry/registry.h"
#include "tests/bench/instances.h"

namespace {

using memo::planner::Bytes;
using memo::planner::Limits;
using memo::planner::Outcome;
using memo::planner::Problem;

struct Timed {
  Outcome outcome;
  double seconds;
};

Timed run(std::string_view strategy, const Problem& problem, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome = memo::planner::find_strategy(strategy)->solve(problem, limits);
  return {std::move(outcome),
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

Bytes capacity_of(const std::filesystem::path& file, const Problem& problem) {
  const Bytes capacity = memo::bench::capacity_in_name(file);
  return capacity > 0 ? capacity : memo::planner::lower_bound(problem);
}

void print_line(const std::filesystem::path& file, double seconds) {
  Problem problem = memo::bench::read_instance(file);
  const Bytes capacity = capacity_of(file, problem);
  const Timed bump = run("bump", problem, {});
  const Timed greedy = run("greedy-size", problem, {});
  const Timed minimised = run(
      "auto", problem, {.seconds = seconds, .threads = std::max(1u, std::thread::hardware_concurrency())});
  problem.capacity = capacity;
  const Timed decided = run("canonical", problem, {.seconds = seconds});
  fmt::print("{:24} {:>7} {:>9.6f} {:>9.6f} {:>15} {:>10} {:>9.4f} {:>9} {:>15} {:>15} {:>9} {:>9.4f}\n",
             file.stem().string(), problem.buffers.size(), bump.seconds, greedy.seconds, capacity,
             to_string(decided.outcome.status), decided.seconds, decided.outcome.nodes,
             minimised.outcome.height, minimised.outcome.lower_bound, to_string(minimised.outcome.status),
             minimised.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "search_bench: no folder of instances given; usage: search_bench FOLDER [SECONDS]\n");
    return 2;
  }
  const double seconds = argc > 2 ? std::atof(argv[2]) : 60.0;
  fmt::print("{:24} {:>7} {:>9} {:>9} {:>15} {:>10} {:>9} {:>9} {:>15} {:>15} {:>9} {:>9}\n", "instance",
             "buffers", "bump s", "greedy s", "capacity", "decided", "in s", "nodes", "height", "bound",
             "status", "in s");
  for (const std::filesystem::path& file : memo::bench::instances_below(argv[1])) print_line(file, seconds);
}
