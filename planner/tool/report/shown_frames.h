// Chooses the frames of a call stack that say something.
#pragma once

#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

// Returns the stack. Where it has functions of Python, those of the interpreter that pass calls on between them are left out. The
// ones that allocate stay: what they are called tells what for.
[[nodiscard]] std::vector<Site> shown_frames(const Trace& trace, const std::vector<Site>& stack);

}  // namespace memo::planner
