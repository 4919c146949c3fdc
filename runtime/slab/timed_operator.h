// Charges a served pass for the operators that it is told of (runtime/slab/accounts.h): times one in so many, which counts for all,
// since reading the clock for each would cost too much.
#pragma once

#include "runtime/platform/ticks.h"
#include "runtime/slab/accounts.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// Lives while the library does what an operator's begin has it do. The pass may begin or end meanwhile.
class TimedOperator {
 public:
  TimedOperator() : begin_(is_its_turn() ? ticks_now() : 0) {}
  ~TimedOperator() {
    Lane* lane = t_self.lane;
    if (begin_ != 0 && lane != nullptr) lane->progress.operator_ticks += kTimed * own_ticks_since(begin_);
  }
  TimedOperator(const TimedOperator&) = delete;
  TimedOperator& operator=(const TimedOperator&) = delete;

 private:
  static constexpr std::uint64_t kTimed = 32;

  static bool is_its_turn() {
    Lane* lane = t_self.lane;
    return lane != nullptr && lane->progress.operators++ % kTimed == 0;
  }

  const std::uint64_t begin_;
};

}  // namespace memo::runtime
