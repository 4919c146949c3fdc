// How far a piece of work is, as the work itself knows it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace memo::progress {

using Clock = std::chrono::steady_clock;
using Moment = Clock::time_point;
using Seconds = std::chrono::duration<double>;

struct State {
  double done = 0;  // steps, with the part of the current one where that is known
  double all = 0;   // steps; 0: unknown
  std::string what = {};
  std::optional<Seconds> step_limit = {};  // the most that a step takes, where a limit ends it
};

}  // namespace memo::progress
