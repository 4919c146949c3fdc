// Sums allocations along the operators around them: `conv2d › convolution › empty`.
#pragma once

#include <vector>

#include "planner/tool/report/call_tree.h"
#include "planner/tool/report/counted.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// Sums the allocations by the path of their scopes, from the outermost to the innermost; labels are part of it. Those in no
// scope have the path "outside operators".
[[nodiscard]] CallTree by_operator(const Trace& trace, const std::vector<CountedAllocation>& counted);

// Returns for each scope of the pass the outermost operator around it, which may be the scope itself; kNone if there are
// labels alone.
[[nodiscard]] std::vector<ScopeIndex> outermost_operators(const Trace& trace, const Pass& pass);

}  // namespace memo::planner
