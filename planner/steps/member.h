// A pass as runs of some variant; shared by the search for variants and the search for loops.
#pragma once

#include <algorithm>
#include <cstdint>

#include "planner/steps/trace_view.h"
#include "planner/trace/mix.h"

namespace memo::planner {

// A pass that stands for all that are like it (distinct_passes.h).
struct Member {
  const Trace* trace = nullptr;  // the trace that the pass is of
  const Pass* pass = nullptr;    // without content if it is not complete
  std::size_t runs = 0;          // how many passes it stands for
  std::uint64_t first = 0;       // the lowest number that such a pass has in its process
  // What find_variants() adds:
  const TraceView* view = nullptr;
  std::uint64_t fingerprint = 0;  // hash of what the pass allocates, in order
};

// Returns how many allocations of the pass come before the position.
inline Time allocations_before(const Pass& pass, Time position) {
  const auto at = std::partition_point(pass.allocations.begin(), pass.allocations.end(),
                                       [&](const Allocation& a) { return a.life.begin < position; });
  return at - pass.allocations.begin();
}

}  // namespace memo::planner
