// What workers allocate: threads that have no passes of their own, while others run theirs, as those of a parallel region.
//
//   owner     |==== pass 1 ====|  |==== pass 2 ====|          A worker's pass is what one of them allocates from the begin of
//   worker 1      a b a b             a b                     one pass to the begin of the next, or until none runs. Which
//   worker 2      a b                 a b a b  c              of them gets which piece of the work varies, and so do these
//                                                             passes: no two need be alike.
//
// So there is one variant for all of them, made to be met out of step: the sites that recur, in the order of a long pass,
// from which the shorter ones are taken as well; behind them what other passes have more of, for the arena to find by site.
#pragma once

#include <optional>
#include <span>

#include "planner/variants/trace_view.h"
#include "planner/variants/variants.h"

namespace memo::planner {

// Nothing where no site recurs from pass to pass, or what workers allocate outlives the passes they work for.
[[nodiscard]] std::optional<Variant> find_worker_variant(std::span<const TraceView> views);

}  // namespace memo::planner
