// Counts what is left of a solve's limits. Strategies ask it once for each node; it reads the clock once in 256
// nodes.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "planner/placing/strategy.h"

namespace memo::planner {

class Budget {
 public:
  // Takes the limits of a solve. Where these limit neither time nor nodes, the strategy's own `default_nodes`
  // bound the solve, so that it ends, and ends with the same plan on every machine.
  Budget(const Limits& limits, std::uint64_t default_nodes)
      : seconds_(limits.seconds),
        cancel_(limits.cancel),
        most_(limits.nodes.value_or(limits.seconds ? kUnlimited : default_nodes)) {}

  // Makes a budget for strategies that search nothing: only the time and the caller's cancelling bound it.
  static Budget of_time(Limits limits) {
    limits.nodes.reset();
    return Budget(limits, kUnlimited);
  }

  // Spends nodes. Returns false once the nodes or the time are used up, or the caller has cancelled; from then
  // on always.
  bool spend(std::uint64_t nodes = 1) {
    spent_ += nodes;
    if (spent_ >= next_look_) {
      next_look_ = spent_ + kNodesBetweenLooks;
      exhausted_ = exhausted_ || cancelled() || late();
    }
    exhausted_ = exhausted_ || spent_ > most_;
    return !exhausted_;
  }

  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kNodesBetweenLooks = 256;

  [[nodiscard]] bool cancelled() const { return cancel_ != nullptr && cancel_->load(); }
  [[nodiscard]] bool late() const {
    return seconds_ && std::chrono::duration<double>(Clock::now() - start_).count() > *seconds_;
  }

  std::optional<double> seconds_;
  const std::atomic<bool>* cancel_;
  std::uint64_t most_;
  std::uint64_t spent_ = 0;
  std::uint64_t next_look_ = 0;
  bool exhausted_ = false;
  Clock::time_point start_ = Clock::now();
};

}  // namespace memo::planner
