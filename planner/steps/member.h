// A pass as runs of some variant; shared by the search for variants and the search for loops.
#pragma once

#include <algorithm>
#include <cstdint>

#include "planner/steps/trace_view.h"
#include "planner/trace/mix.h"

namespace memo::planner {

struct Member {
  const TraceView* view = nullptr;
  const Pass* pass = nullptr;
  std::uint64_t fingerprint = 0;  // hash of what the pass allocates, in order
  std::size_t runs = 1;           // how many passes it stands for (distinct_passes.h)
  std::uint64_t first = 0;        // the lowest number of these passes
};

// Returns how many allocations of the pass come before the position.
inline Time allocations_before(const Pass& pass, Time position) {
  const auto at = std::partition_point(pass.allocations.begin(), pass.allocations.end(),
                                       [&](const Allocation& a) { return a.life.begin < position; });
  return at - pass.allocations.begin();
}

}  // namespace memo::planner
