// Sums up how one solver did on several problems, for tables of the benchmarks.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "planner/placing/strategy.h"

namespace memo::bench {

class SolvedShare {
 public:
  // Solves a problem that has a capacity, with the clock running, and counts it.
  template <typename Solve>
  void run(const planner::Problem& problem, const planner::Limits& limits, Solve solve) {
    const auto start = std::chrono::steady_clock::now();
    const planner::Outcome outcome = solve(problem, limits);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    milliseconds_.push_back(took.count());
    nodes_ += outcome.nodes;
    if (!outcome.offsets.empty() && outcome.height <= problem.capacity.value()) ++solved_;
  }

  void add(const SolvedShare& others) {
    milliseconds_.insert(milliseconds_.end(), others.milliseconds_.begin(), others.milliseconds_.end());
    nodes_ += others.nodes_;
    solved_ += others.solved_;
  }

  // Returns the median over all problems. One that was not solved counts with the time spent on it in vain.
  [[nodiscard]] double median_milliseconds() const { return quantile(0.5); }
  [[nodiscard]] double most_milliseconds() const { return quantile(1); }
  [[nodiscard]] double solved_percent() const {
    return 100.0 * static_cast<double>(solved_) / static_cast<double>(milliseconds_.size());
  }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

 private:
  // Returns the value that this share of the others lies below.
  [[nodiscard]] double quantile(double share) const {
    std::vector<double> sorted = milliseconds_;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  }

  std::vector<double> milliseconds_;
  std::size_t solved_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace memo::bench
