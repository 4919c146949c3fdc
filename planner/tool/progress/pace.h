// Measures how fast steps are done, and says from that how long the rest takes.
#pragma once

#include <optional>

#include "planner/tool/progress/state.h"

namespace memo::progress {

struct TimeLeft {
  Seconds seconds{};
  bool is_bound = false;  // the rest may take less, but not longer
};

class Pace {
 public:
  // Takes note of a new state. The first step begins with the first state that knows how many there are.
  void note(const State& state, Moment now);

  // Returns how much of the work is done, from 0 to 1. Returns nothing where the amount of work is unknown. Where
  // a limit ends each step, the time of the current one counts as a part of it.
  [[nodiscard]] std::optional<double> share(Moment now) const;

  // Returns how long the rest takes: where a limit ends each step, at most so long; otherwise as long as the whole
  // steps that were done took on average. Returns nothing before the first one is done.
  [[nodiscard]] std::optional<TimeLeft> left(Moment now) const;

 private:
  [[nodiscard]] double whole_steps() const;

  State state_;
  Moment begin_{};       // of the first step
  Moment step_begin_{};  // of the current one
};

}  // namespace memo::progress
