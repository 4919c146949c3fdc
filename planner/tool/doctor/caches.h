// Finds caches of engines that look like leaks, and names what bounds them.
#pragma once

#include "planner/tool/doctor/finding.h"
#include "planner/trace/trace.h"

namespace memo::doctor {

// Reports each engine whose blocks that outlive their passes grow pass after pass in the trace. Says nothing of a trace
// with lost events: what it lacks may be the frees.
[[nodiscard]] Findings examine_caches(const planner::Trace& trace);

}  // namespace memo::doctor
