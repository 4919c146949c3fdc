// Traces in which a block outlives its pass, as an answer does that the program keeps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "planner/trace/trace.h"

namespace memo::testing {

// Lets the last block of a site outlive its pass, in each pass of the trace.
inline void leave_last_behind(planner::Trace& trace, std::uint64_t site) {
  for (planner::Pass& pass : trace.passes) {
    const auto last = std::ranges::find(pass.allocations.rbegin(), pass.allocations.rend(), site,
                                        [](const planner::Allocation& made) { return made.site.offset; });
    last->escapes = true;
    last->life.end = pass.events;
  }
}

}  // namespace memo::testing
