// ejection: packs below a height that is too low at first, and lets the hard buffers push the easy ones out.
//
//   height -----------------------      The buffers wait in the order of how hard they are to place. Each takes the
//            | b |     |                tightest gap below the height. Without a gap it takes the window that costs
//            +---+-----+   x            least (windows.h), and what was there waits again. Each time a buffer had to
//            | a |  c  |   <- waits     push, its weight grows, so that it is not pushed out for ever.
//
// Hard is a large buffer that lives long where many bytes are alive: its size times the sum over its life of
// (live bytes / peak)^q. A high q leaves all but the surroundings of the peak out of account. There the plan must have
// hardly a gap; everywhere else there is room for what was pushed out. No q is best for all traces, so runs take turns.
//
// A run begins at the height that would be enough. Where it pushes too often in vain, the height rises towards the best
// plan. So a run ends with a lower plan, or with none. Each run is more patient than the one before; the heights of the
// next lie between enough and the new best plan.
//
// Where no gap may be left, at the peak, pushing gets stuck. So the first runs begin with the surroundings of the peak packed
// by exact search (peak_window.h), until that has been in vain for each q.
//
// A node is a placement, and costs O(overlapping buffers). Without limits there are two million nodes. It gives up after
// nine times that each kind of run was in vain. No guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kEjection;

// Lowers a valid plan until it is `enough`, or the limits or the patience run out. Returns the nodes.
std::uint64_t improve_by_ejection(const Problem& problem, Bytes enough, const Limits& limits, Offsets& plan);

}  // namespace memo::planner
