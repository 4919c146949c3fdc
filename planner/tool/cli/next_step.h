// Says what to do with a trace, and why: plan from it, or record another one.
#pragma once

#include <string>

#include "planner/trace/trace.h"

namespace memo::cli {

// Returns false if no plan can come of the trace: all its passes were cut off, or there is nothing in it.
[[nodiscard]] bool can_be_planned(const planner::Trace& trace);

// Returns "next: memomalloc plan PATH", or what is missing and the command that gets it.
[[nodiscard]] std::string next_step(const planner::Trace& trace, const std::string& path);

}  // namespace memo::cli
