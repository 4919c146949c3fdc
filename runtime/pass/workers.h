// Workers: threads without a pass of their own that allocate for the passes of others, such as those of a
// parallel region.
//
//   owner    |==== pass 7 ====|      |==== pass 8 ====|
//   worker       [a b][a b]             [a b][a b][a b]
//                |--- worker's pass ----||--- the next …      each on a worker lane, by the variant for workers
//
// A worker's pass opens at an allocation from a call site of that variant, once for each pass that begins. It
// is over at the first allocation that the plan's next slot does not answer, and that finds another pass begun
// or none running. So the worker itself notices the end, no thread takes a lane from a thread that lives, and
// the fast path checks nothing. A worker that sleeps keeps its lane. There are enough lanes for many workers,
// and a worker lane holds no more memory than workers touched.
#pragma once

#include <cstdint>

#include "runtime/plan/worker_sites.h"
#include "runtime/slab/running_passes.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// Returns true if an allocation from this site opens a worker's pass, or ends the worker's pass of the calling
// thread. To be called where the plan's next slot has not answered. Returns false in a signal handler that
// interrupted an allocation of this thread.
inline bool worker_moves_on(std::uint64_t site) {
  const ThreadState& self = t_self;
  const std::uint32_t latest = g_running_passes.latest();
  if (latest == self.worked_for) return false;
  if (self.moves_on || self.cursor == &kReentered || (self.depth != 0 && !self.is_worker)) return false;
  return self.is_worker || (latest != 0 && is_worker_site(site));
}

// Does what worker_moves_on() announced: ends the worker's pass and begins the next. Returns true if the thread
// is in a worker's pass now.
bool move_worker_on(std::uint64_t site);

}  // namespace memo::runtime
