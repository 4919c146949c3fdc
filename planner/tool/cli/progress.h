// Shows on one line of stderr how far a command is. Only on a terminal, and never with --quiet.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "planner/placing/strategy.h"

namespace memo::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Redraw the line, but only some ten times a second, however often they are called.
  void show(const planner::Progress& progress);
  void show_files(std::size_t read, std::size_t all);

 private:
  using Clock = std::chrono::steady_clock;
  // Returns true if the line was not drawn for a while.
  [[nodiscard]] bool is_due() const;
  // Draws the line: the seconds since the start, and the text.
  void draw(const std::string& text);

  const bool on_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_{};
};

}  // namespace memo::cli
