// Plans what workers allocate: threads without passes of their own, such as those of a parallel region, while
// other threads run passes.
//
//   owner     |==== pass 1 ====|  |==== pass 2 ====|          A worker's pass is what one of them allocates from the begin of
//   worker 1      a b a b             a b                     one pass to the begin of the next, or until none runs. Which
//   worker 2      a b                 a b a b  c              of them gets which piece of the work varies, and so do these
//                                                             passes: no two need be alike.
//
// So one variant serves all workers, and it is made to be met out of step. It begins with the sites that recur,
// in the order of a long pass; shorter passes are served from these as well. After them come the allocations
// that other passes make in addition, which the arena finds by site.
#pragma once

#include <optional>
#include <span>

#include "planner/steps/trace_view.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Returns nothing where no site recurs from pass to pass, or where what workers allocate outlives the passes
// they work for.
[[nodiscard]] std::optional<Variant> find_worker_variant(std::span<const TraceView> views);

// Removes from the trace what was allocated outside of passes, except for what workers allocated.
void leave_work_of_workers(Trace& trace);

}  // namespace memo::planner
