// nnc: the tensor allocation of libnnc (Liu Liu), on the order that lifetimes give.
//
// It places the largest buffer first. It remembers not a skyline but a flow of bytes: an edge from buffer y to
// a later buffer x carries the bytes that lie idle between the death of y and the birth of x.
//
//     start ═════ 40 @0 ═════> end        a (40 bytes) opened this group: start ─40─> a ─40─> end
//
//     start ─10@30─> a        b (30 bytes) lived before a and took 30 of the 40 bytes that flowed into a:
//     start ─30@0─> b ─30@0─> a           the edge loses them, two new edges carry them on
//
// A buffer goes to the edge that holds enough bytes and leaves the least time between y, the buffer and x: the
// tightest slot in time, so that long idle stretches stay whole. Without such an edge, it opens a new group as
// large as itself. Later buffers are never larger, so groups never grow. Ties: most unplaced conflicts first,
// then index.
//
// Groups are separate buffers in the original; here they are laid end to end and squeezed (squeeze.h). Cost:
// O(n · edges), where each buffer adds at most three edges; no guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kNnc;

// Returns the groups end to end, before the squeeze. Ignores alignments and fixed offsets.
[[nodiscard]] Offsets nnc_loose_plan(const Problem& problem);

}  // namespace memo::planner
