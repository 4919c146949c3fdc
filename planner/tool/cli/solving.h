// The common parts of the verbs that solve: the strategy and the limits of the command line, the progress line,
// Ctrl-C.
#pragma once

#include <string>

#include "planner/placing/strategy.h"
#include "planner/problem/deadline.h"
#include "planner/tool/cli/interrupt.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/progress.h"

namespace memo::cli {

// Returns the strategy. Throws Failure(kUsage) with the valid names if there is none of this name.
[[nodiscard]] const planner::Strategy& strategy_named(const std::string& name);

// Returns the strategy of --strategy. Throws Failure(kUsage) with the valid names if there is none of this
// name.
[[nodiscard]] const planner::Strategy& chosen_strategy(const Options& options);

// Returns how many threads --threads allows, one for each core by default.
[[nodiscard]] unsigned thread_count(const Options& options);

// During its lifetime, Ctrl-C ends a solve with the best result so far, and progress is drawn on a terminal.
class SolveSession {
 public:
  SolveSession(const Options& options, bool quiet);

  // Returns the limits of --timeout, --nodes, --threads and --seed. Valid as long as the session.
  [[nodiscard]] const planner::Limits& limits() const { return limits_; }

  // Returns the deadline of a phase that begins now and may last as long as one solve.
  [[nodiscard]] planner::Deadline deadline() const {
    return planner::Deadline(limits_.seconds, limits_.cancel);
  }

 private:
  InterruptGuard interrupt_;
  ProgressLine line_;
  planner::Limits limits_;
};

}  // namespace memo::cli
