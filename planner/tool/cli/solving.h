// What the verbs that solve share: the strategy and the limits of the command line, a progress line, Ctrl-C.
#pragma once

#include <string>

#include "planner/placing/strategy.h"
#include "planner/problem/deadline.h"
#include "planner/tool/cli/interrupt.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/progress.h"

namespace memo::cli {

// Throws Failure(kUsage) with the names there are.
[[nodiscard]] const planner::Strategy& strategy_named(const std::string& name);

// The strategy of --strategy. Throws Failure(kUsage) with the names there are.
[[nodiscard]] const planner::Strategy& chosen_strategy(const Options& options);

// While it lives, Ctrl-C ends the solve with the best so far and progress is drawn on a terminal.
class SolveSession {
 public:
  SolveSession(const Options& options, bool quiet);

  // The limits of --timeout, --nodes, --threads and --seed. Valid as long as the session.
  [[nodiscard]] const planner::Limits& limits() const { return limits_; }

  // Of a phase that begins now and may last as long as one solve.
  [[nodiscard]] planner::Deadline deadline() const {
    return planner::Deadline(limits_.seconds, limits_.cancel);
  }

 private:
  InterruptGuard interrupt_;
  ProgressLine line_;
  planner::Limits limits_;
};

}  // namespace memo::cli
