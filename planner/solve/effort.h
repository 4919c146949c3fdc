// What is left of the limits of a solve that runs on several threads: nodes are counted between batches of work, time
// and cancelling are looked at from inside.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "planner/placing/strategy.h"

namespace memo::planner {

class Effort {
 public:
  // Without limits, `default_nodes` bound the solve, so that it ends, and ends with the same plan everywhere.
  Effort(const Limits& limits, std::uint64_t default_nodes);

  // From any thread. Never true because of nodes.
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] std::uint64_t nodes_left() const { return most_nodes_ - spent_; }
  // Nothing where time is no limit.
  [[nodiscard]] std::optional<double> seconds_left() const;
  [[nodiscard]] bool exhausted() const { return nodes_left() == 0 || stopped(); }
  // Whether the plan must not depend on the clock, nor on how many threads there are.
  [[nodiscard]] bool repeatable() const { return repeatable_; }

  // From one thread.
  void spend(std::uint64_t nodes);
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> deadline_;
  const std::atomic<bool>* cancel_;
  std::uint64_t most_nodes_;
  std::uint64_t spent_ = 0;
  bool repeatable_;
};

}  // namespace memo::planner
