// nnc-page: the tensor allocation of NNC as its page describes it. The library (nnc.h) later chose its candidates
// in another way.
//
// The allocation graph is a flow of bytes from a source to a sink, through the buffers that hold them in turn. An
// edge says how many bytes are idle between two buffers. One tuple of up to three buffers that never live together
// enters at a time:
//
//   1. the buffers that overlap most others, all of several, are candidates alone;
//   2. each also with a larger buffer beside which it never lives, and with two of these;
//   3. candidates are ordered by their largest size, then by the number of buffers that they overlap;
//   4. the first with an edge between two buffers, before and after it and with enough bytes, enters there;
//   5. if no candidate has one, the first opens new bytes from the source to the sink.
//
//     a ==40==> d      becomes      a --30--> b --30--> c ==40==> d      b (30) and c (40) enter as a pair between
//                                   a --------10------> c                a and d: c takes bytes of b and of a.
//
// So a buffer may take its bytes from several before it. The bytes that the source gave lie end to end, and the
// plan is squeezed. Cost O(n^3) at worst. No guarantee.
#pragma once

#include <optional>

#include "planner/placing/budget.h"
#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kNncPage;

// Returns the plan before the squeeze, or nothing when the time ran out.
[[nodiscard]] std::optional<Offsets> nnc_page_loose_plan(const Problem& problem, Budget& budget);

}  // namespace memo::planner
