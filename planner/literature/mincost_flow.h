// mincost-flow: Lee et al. (2019). Who takes over whose memory is an assignment, solved for the least sum of
// what has to be allocated; buffers that follow one another share an object as large as the largest of them.
//
//      predecessors            successors
//        a ○───── max(0, c-a) ─────○ c           Each successor takes over one object after its buffer has
//          ╲                                     died, or a fresh one; each object is taken over at most
//          once.
//        b ○╲──── max(0, c-b) ─────○ c           Chains of take-overs are the objects. The cost counts growth
//            ╲─── max(0, d-a) ─────○ d           step by step, so it only estimates the chain's maximum.
//        fresh ──────── d ─────────○ d
//
// Successive shortest paths with potentials, one successor at a time; a search ends at the first object that
// is still free, or at the first fresh one that is no dearer. Up to 600 buffers all take-overs are considered
// and the assignment is optimal; beyond, only the 8 latest dead and the 16 nearest in size for each buffer.
// A node is one step of a path search; when the nodes run out the remaining buffers start fresh objects.
// Objects are laid end to end, largest at the bottom, and squeezed (squeeze.h) into the plan.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kMincostFlow;

// For each buffer the one whose object it takes over; itself for a fresh object. Blind to alignments and
// fixed offsets.
[[nodiscard]] std::vector<BufferIndex> cheapest_takeovers(const Problem& problem, const Limits& limits);

// The sum over the objects of their largest buffer: the height without the squeeze.
[[nodiscard]] Bytes object_bytes(const Problem& problem, const std::vector<BufferIndex>& takeovers);

}  // namespace memo::planner
