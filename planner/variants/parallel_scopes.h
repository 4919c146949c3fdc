// Operators that ran at the same time must not be serialised by a plan that lets one reuse the other's bytes.
//
//   scope A   [=====a=====]                 A and B overlapped in some run: while either of them lasts, neither
//   scope B        [====b=====]             side's blocks may lie on the other's, so each lives as long as both.
//   a         [================]
//   b         [================]
//
// Lifetimes only ever grow, so the plan stays right for every run, and becomes higher by what this freedom
// costs. An operator inside another one makes no such pair: it runs while the outer one waits for it.
#pragma once

#include <utility>
#include <vector>

#include "planner/variants/variants.h"

namespace memo::planner {

using ScopePair = std::pair<ScopeIndex, ScopeIndex>;

// Returns the pairs of scopes of one pass that overlapped in time and are not inside each other. Each pair
// appears once, the earlier scope first.
[[nodiscard]] std::vector<ScopePair> parallel_scopes(const Pass& pass);

// Lengthens the lifetimes of what the parallel scopes of each variant (Variant::parallel) allocate.
void keep_parallel(Variants& variants);

}  // namespace memo::planner
