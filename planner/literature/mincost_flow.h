// mincost-flow: Lee et al. (2019). Which buffer takes over whose memory is an assignment, solved for the least
// sum of what must be allocated. Buffers that follow one another share an object as large as the largest of
// them.
//
//      predecessors            successors
//        a ○───── max(0, c-a) ─────○ c           Each successor takes over one object after its buffer has
//          ╲                                     died, or a fresh one; each object is taken over at most once.
//        b ○╲──── max(0, c-b) ─────○ c           Chains of take-overs are the objects. The cost counts growth
//            ╲─── max(0, d-a) ─────○ d           step by step, so it only estimates the chain's maximum.
//        fresh ──────── d ─────────○ d
//
// It searches successive shortest paths with potentials, one successor at a time. A search ends at the first
// object that is still free, or at the first fresh one that is no dearer. Up to 600 buffers, all take-overs are
// considered and the assignment is optimal; beyond, only the 8 latest dead buffers and the 16 nearest in size
// are considered for each buffer. A node is one step of a path search; when the nodes run out, the remaining
// buffers start fresh objects. Objects are laid end to end, largest at the bottom, and squeezed (squeeze.h)
// into the plan.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kMincostFlow;

// Returns for each buffer the one whose object it takes over, or the buffer itself for a fresh object. Ignores
// alignments and fixed offsets.
[[nodiscard]] std::vector<BufferIndex> cheapest_takeovers(const Problem& problem, const Limits& limits);

// Returns the sum over the objects of their largest buffer: the height without the squeeze.
[[nodiscard]] Bytes object_bytes(const Problem& problem, const std::vector<BufferIndex>& takeovers);

}  // namespace memo::planner
