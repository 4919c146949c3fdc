// Shows on stderr how far a verb is: one line on a terminal, a line of the log now and then elsewhere. Silent with --quiet.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "planner/tool/cli/terminal_line.h"
#include "planner/tool/progress/line.h"

namespace memo::cli {

// Who else writes to the terminal while the work goes on.
enum class Beside {
  kNobody,
  kProgram  // a program of the user's, whose lines a drawn one would cut in two: the log says progress then
};

class ProgressLine {
 public:
  explicit ProgressLine(Beside beside = Beside::kNobody);
  // Removes the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Takes note of how far the work is. Any thread may call it, and as often as it likes.
  void show(const progress::State& state);

 private:
  void keep_drawing();

  progress::Way way_;
  std::optional<LineEnding> ending_;
  progress::Line line_;
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::thread thread_;  // goes on drawing while the work says nothing
};

}  // namespace memo::cli
