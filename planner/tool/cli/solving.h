// The common parts of the verbs that solve: the strategy and the limits of the command line, progress, Ctrl-C.
#pragma once

#include <cstddef>
#include <string>

#include "planner/placing/strategy.h"
#include "planner/problem/deadline.h"
#include "planner/tool/cli/interrupt.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/progress.h"

namespace memo::cli {

// Returns the strategy of --strategy. Throws Failure(kUsage) with the valid names if there is none of this
// name.
[[nodiscard]] const planner::Strategy& chosen_strategy(const Options& options);

// Returns how many threads --threads allows, one for each core by default.
[[nodiscard]] unsigned thread_count(const Options& options);

// During its lifetime, Ctrl-C ends a solve with the best result so far, and `line` shows how far it is.
class SolveSession {
 public:
  // `solves` says how many there will be. `line` must outlive the session.
  SolveSession(const Options& options, ProgressLine& line, std::size_t solves = 1);

  // Says that the next solve begins.
  void begin(const std::string& what);

  // Returns the limits of --timeout, --nodes, --threads and --seed. Valid as long as the session.
  [[nodiscard]] const planner::Limits& limits() const { return limits_; }

  // Returns the deadline of a phase that begins now and may last as long as one solve.
  [[nodiscard]] planner::Deadline deadline() const {
    return planner::Deadline(limits_.seconds, limits_.cancel);
  }

 private:
  // Says how good the best plan of the current solve is.
  void tell(const planner::Progress& best);

  InterruptGuard interrupt_;
  ProgressLine& line_;
  planner::Limits limits_;
  progress::State state_;
  std::size_t begun_ = 0;
};

}  // namespace memo::cli
