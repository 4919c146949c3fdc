// Workers: threads without a pass of their own that allocate while others run theirs, as those of a parallel region.
//
//   owner    |==== pass 7 ====|      |==== pass 8 ====|
//   worker       [a b][a b]             [a b][a b][a b]
//                |--- worker's pass ----||--- the next …      each on a lane for workers, by the variant for workers
//
// A worker's pass opens at an allocation from a call site that this variant knows, once for each pass that begins, and is over
// at the first allocation that finds another pass begun, or none running, where the plan's next slot does not answer: so the
// worker itself notices, nobody takes a lane from a thread that lives, and the fast path asks nothing. A worker that sleeps
// keeps its lane, of which there are enough for many of them; a lane for workers holds no more memory than workers touched.
#pragma once

#include <cstdint>

#include "runtime/plan/worker_sites.h"
#include "runtime/slab/running_passes.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// An allocation from this site opens a worker's pass, or ends the thread's. To be asked where the plan's next slot has not
// answered; false in a signal handler that came in the middle of an answer.
inline bool worker_moves_on(std::uint64_t site) {
  const ThreadState& self = t_self;
  const std::uint32_t latest = g_running_passes.latest();
  if (latest == self.worked_for) return false;
  if (self.moves_on || self.cursor == &kReentered || (self.depth != 0 && !self.is_worker)) return false;
  return self.is_worker || (latest != 0 && is_worker_site(site));
}

// What worker_moves_on() said. True: the thread is in a worker's pass now.
bool move_worker_on(std::uint64_t site);

}  // namespace memo::runtime
