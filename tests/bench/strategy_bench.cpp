// Measures how each strategy grows: planning time over instances of 10 to 100,000 buffers that look like passes of
// a network (most buffers die young, a few live long, sizes repeat), over harder ones with many long lives, and over
// every CSV instance of the folders given as arguments. google-benchmark's own options work; --benchmark_format=csv feeds
// scripts/evaluation/plot-growth.
//
// A strategy whose last run on an instance took longer than a second is not asked for ten times as much.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <random>

#include "tests/bench/instances.h"
#include "tests/bench/run_program.h"
#include "tests/planner/registry/oracles/every_strategy.h"

namespace memo::bench {
namespace {

namespace fs = std::filesystem;
using planner::Bytes;
using planner::Problem;
using planner::Time;

constexpr double kLongSeconds = 1.0;
constexpr double kLimitSeconds = 5.0;

// Makes a problem with one operator at each moment: a tensor for the next few operators, scratch for this one, now and then a
// shortcut.
Problem network_like(int count) {
  std::mt19937 random(static_cast<unsigned>(count));
  const auto below = [&random](unsigned limit) { return static_cast<Time>(random() % limit); };
  Problem problem;
  for (int i = 0; i < count; ++i) {
    const Time begin = i / 2;
    const bool shortcut = below(20) == 0;
    const Time length = shortcut ? 10 + below(100) : 1 + below(3);
    const Bytes size = (Bytes{1} << below(12)) * 64 * (1 + below(6));
    problem.buffers.push_back({.life = {begin, begin + length}, .size = size, .alignment = 64, .fixed = {}});
  }
  return problem;
}

// Makes a problem as of training and of caches: one buffer in ten lives for a tenth to a half of all time, and
// sizes hardly repeat. Heuristics end far above the bound here.
Problem long_lived(int count) {
  std::mt19937 random(static_cast<unsigned>(count));
  const auto below = [&random](int limit) {
    return static_cast<Time>(random() % static_cast<unsigned>(limit));
  };
  Problem problem;
  for (int i = 0; i < count; ++i) {
    const Time begin = i / 2;
    const Time length = below(10) == 0 ? count / 20 + below(count / 5) : 1 + below(3);
    problem.buffers.push_back(
        {.life = {begin, begin + length}, .size = (1 + below(4096)) * 64, .alignment = 64, .fixed = {}});
  }
  return problem;
}

// Holds the strategies that have become too slow to be asked for more.
std::map<std::string_view, int>& largest_affordable() {
  static std::map<std::string_view, int> sizes;
  return sizes;
}

void solve_once(benchmark::State& state, const planner::Strategy& strategy, const Problem& problem) {
  planner::Limits limits;
  limits.seconds = kLimitSeconds;
  const auto start = std::chrono::steady_clock::now();
  const planner::Outcome outcome = strategy.solve(problem, limits);
  const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (outcome.offsets.empty()) return state.SkipWithError("no plan within the limits");
  state.SetIterationTime(taken);
  const auto bound = static_cast<double>(std::max<Bytes>(outcome.lower_bound, 1));
  state.counters["over_percent"] = 100.0 * (static_cast<double>(outcome.height) / bound - 1);
  const int size = static_cast<int>(problem.buffers.size());
  if (taken > kLongSeconds && !largest_affordable().contains(strategy.name)) {
    largest_affordable()[strategy.name] = size;
  }
}

void measure(benchmark::State& state, const planner::Strategy& strategy, const Problem& problem) {
  const auto limit = largest_affordable().find(strategy.name);
  if (limit != largest_affordable().end() && static_cast<int>(problem.buffers.size()) > limit->second * 2) {
    return state.SkipWithError("took over a second on a smaller instance");
  }
  if (const std::string why = strategy.refusal(problem); !why.empty())
    return state.SkipWithError(why.c_str());
  for ([[maybe_unused]] auto _ : state) solve_once(state, strategy, problem);
}

void register_instance(const std::string& name, const Problem& problem) {
  for (const planner::Strategy& strategy : planner::every_strategy()) {
    benchmark::RegisterBenchmark(
        fmt::format("{}/{}", strategy.name, name).c_str(),
        [&strategy, problem](benchmark::State& state) { measure(state, strategy, problem); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

void register_folder(const fs::path& folder) {
  for (const fs::path& file : instances_below(folder))
    register_instance(file.stem().string(), read_instance(file));
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const int count : {10, 30, 100, 300, 1'000, 3'000, 10'000, 30'000, 100'000}) {
    register_instance(fmt::format("{}", count), network_like(count));
  }
  for (const int count : {1'000, 10'000, 100'000})
    register_instance(fmt::format("long-lived-{}", count), long_lived(count));
  for (int i = 1; i < argc; ++i) register_folder(argv[i]);
  if (argc == 1) fmt::print(stderr, "no folder of instances given: only generated instances are measured\n");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  return memo::bench::run_program("strategy_bench", memo::bench::run, argc, argv);
}
