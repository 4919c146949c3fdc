// Operators that ran at the same time must not be serialised by a plan that lets one reuse the other's bytes.
//
//   scope A   [=====a=====]                 A and B overlapped in some run: while either of them lasts, neither
//   scope B        [====b=====]             side's blocks may lie on the other's, so each lives as long as both.
//   a         [================]
//   b         [================]
//
// Lifetimes only ever grow, so the plan stays right for every run, and becomes higher by what this freedom
// costs. An operator inside another one makes no such pair: it runs while the outer one waits for it.
//
// A trace with data flow (planner/trace/data_flow.h) shows more than what happened to overlap: all operators that do not
// need each other make such pairs, whatever order they ran in.
#pragma once

#include <utility>
#include <vector>

#include "planner/steps/variants.h"

namespace memo::planner {

using ScopePair = std::pair<ScopeIndex, ScopeIndex>;

// Returns the pairs of scopes of one pass that overlapped in time or are branches of its data flow, and are not inside
// each other. Each pair appears once, the earlier scope first.
[[nodiscard]] std::vector<ScopePair> parallel_scopes(const Pass& pass);

// Returns the pairs where the second scope may run before all have read what the first one hands on. Each appears once.
// There are none without data flow.
[[nodiscard]] std::vector<ScopePair> outlasting_scopes(const Pass& pass);

// Returns what is in either of two such lists, each once.
[[nodiscard]] std::vector<ScopePair> united(const std::vector<ScopePair>& a, const std::vector<ScopePair>& b);

// Lengthens the lifetimes of what the parallel scopes of each variant (Variant::parallel) allocate, and of what its
// scopes hand on (Variant::outlasting).
void keep_parallel(Variants& variants);

}  // namespace memo::planner
