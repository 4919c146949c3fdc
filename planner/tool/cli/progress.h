// Shows on one line of stderr how far a solve is. Only on a terminal, and never with --quiet.
#pragma once

#include <chrono>

#include "planner/placing/strategy.h"

namespace memo::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Redraws the line, but only some ten times a second, however often it is called.
  void show(const planner::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  const bool on_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_{};
};

}  // namespace memo::cli
