// Finishes the plan of a program that has ended.
#pragma once

#include <chrono>

#include "planner/tool/cli/options.h"
#include "planner/tool/learn/learner.h"

namespace memo::cli {

// Returns the value of --finish.
[[nodiscard]] std::chrono::milliseconds time_to_finish(const Options& options);

// Lets the learner finish. SIGINT, SIGTERM and SIGHUP end that at once, and do not end this process. Does nothing
// if `most` is 0.
void finish_plan(learn::Learner& learner, std::chrono::milliseconds most);

}  // namespace memo::cli
