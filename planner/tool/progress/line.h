// Shows how far long work is: on a terminal as one line that is drawn again and again, elsewhere as a line of the
// log now and then. Short work says nothing in a log.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "planner/tool/progress/pace.h"

namespace memo::progress {

enum class Way {
  kSilent,
  kRedrawn,   // `write` replaces the line on a terminal
  kSentences  // `write` adds a line to a log
};

struct Output {
  Way way = Way::kSilent;
  std::function<std::size_t()> columns;  // of the terminal, which may change
  std::function<void(const std::string&)> write;
};

// The caller brings the time, and calls tick() often enough: work that takes long between two states goes on.
class Line {
 public:
  Line(Output output, Moment begin);

  // Takes note of how far the work is, and shows it if it is time to.
  void show(const State& state, Moment now);

  // Shows the last state with the time that it took by now, if it is time to.
  void tick(Moment now);

 private:
  [[nodiscard]] bool is_due(Moment now) const;

  Output output_;
  Moment begin_;
  Moment shown_;
  bool is_shown_ = false;
  bool is_begun_ = false;  // there is a state
  std::string what_;
  Pace pace_;
};

}  // namespace memo::progress
