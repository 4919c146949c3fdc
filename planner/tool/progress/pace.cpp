#include "planner/tool/progress/pace.h"

#include <algorithm>
#include <cmath>

namespace memo::progress {

double Pace::whole_steps() const {
  return std::floor(state_.done);
}

void Pace::note(const State& state, Moment now) {
  const bool is_first = state_.all == 0 && state.all > 0;
  const bool is_next = std::floor(state.done) != whole_steps();
  state_ = state;
  if (is_first) begin_ = now;
  if (is_first || is_next) step_begin_ = now;
}

std::optional<double> Pace::share(Moment now) const {
  if (state_.all <= 0) return std::nullopt;
  double done = state_.done;
  if (state_.step_limit && state_.step_limit->count() > 0)
    done = whole_steps() + std::min(1.0, Seconds(now - step_begin_) / *state_.step_limit);
  return std::clamp(done / state_.all, 0.0, 1.0);
}

std::optional<TimeLeft> Pace::left(Moment now) const {
  const double rest = state_.all - whole_steps();
  if (state_.all <= 0 || rest <= 0) return std::nullopt;
  if (!state_.step_limit && whole_steps() < 1) return std::nullopt;
  const Seconds step = state_.step_limit ? *state_.step_limit : Seconds(step_begin_ - begin_) / whole_steps();
  // A step that takes longer than expected makes the rest no shorter than the steps that have not begun.
  const Seconds in_step = std::min(step, Seconds(now - step_begin_));
  return TimeLeft{step * rest - in_step, state_.step_limit.has_value()};
}

}  // namespace memo::progress
