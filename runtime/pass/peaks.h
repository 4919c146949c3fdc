// The peak regions, which the passes of all lanes of a plan share.
//
//   lane     |== its own slots ==|                 |== ... ==|        of each pass that runs
//   region                       |== the peak ==|                     of a pass, from its first slot of the peak on,
//                                                                     until its last block there is freed, or until it ends
//
// A pass takes a region by one compare-and-swap and gives it back by one store, as it does with its lane. Where all are taken,
// the heap serves the slot (Reason::kNoPeak), and the pass goes on with the next one. A block that outlives its pass stays in
// the region: the next pass that takes it finds those bytes occupied.
#pragma once

#include <cstdint>

#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// Returns the region that the running pass holds, or one that it takes now; nullptr if there is none for its variant. For a
// thread that is inside the arena (kReentered), so that no signal handler takes or gives one back meanwhile.
[[nodiscard]] Lane* hold_peak(ThreadState& self);

// Gives the pass's region back if no block of the pass lives in it. Returns false if one does. For a thread that is inside the
// arena.
[[nodiscard]] bool leave_empty_peak(ThreadState& self);

// Does the same after a free of a block in the pass's region. Not for a thread that is inside the arena.
__attribute__((noinline, cold)) void note_freed_at_peak(ThreadState& self);

// Does so if `lane`, in which a block was freed, is the region. Costs two loads where it is not.
inline void note_freed_in(ThreadState& self, const Lane& lane) {
  if (self.lane != nullptr && self.lane->progress.peak == &lane) note_freed_at_peak(self);
}

// Gives the pass's region back, whatever lives in it, where the pass ends.
void leave_peak(ThreadState& self);

// Where passes often find no region, takes those of threads that ended in their passes, or else has another one made. To be called
// for each pass that ends on a lane.
void count_peaks(LoadedPlan& plan, const Progress& progress);

}  // namespace memo::runtime
