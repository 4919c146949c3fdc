// Counts what is left of the limits of a solve that runs on several threads. Nodes are counted between batches
// of work; the threads look at the time and at cancelling during a batch.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "planner/placing/strategy.h"

namespace memo::planner {

class Effort {
 public:
  // Takes the limits. Where there are none, `default_nodes` bound the solve, so that it ends, and ends with the
  // same plan on every machine.
  Effort(const Limits& limits, std::uint64_t default_nodes);

  // Returns true if time is up or the caller has cancelled. Does not count nodes. Any thread may call it.
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] std::uint64_t nodes_left() const { return most_nodes_ - spent_; }
  // Returns the seconds left; nothing where time is no limit.
  [[nodiscard]] std::optional<double> seconds_left() const;
  [[nodiscard]] bool exhausted() const { return nodes_left() == 0 || stopped(); }
  // Returns true if the plan must depend neither on the clock nor on the number of threads.
  [[nodiscard]] bool repeatable() const { return repeatable_; }

  // Counts nodes. Only one thread may call it.
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
