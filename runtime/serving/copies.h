// What a copy of the process does before the arena works in it, whatever made the copy (runtime/platform/identity.h).
//
//   1. settling: once for each copy, by whichever thread comes first. The statistics begin at nothing.
//   2. the survivor, the one thread that was copied, takes its own along: its lanes, its pass. Everything else that bears a
//      name of the generation before belongs to threads that do not exist here, and is free from then on.
//
// Both are noticed where a pass begins, a plan is taken up, the recorder writes: by the calling thread's name, which is of
// another generation or of none. Until the survivor has come, lanes of the generation before stay as they are, since one
// of them may be the survivor's, which goes on in it without noticing anything.
#pragma once

#include "runtime/platform/identity.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// What else is to be done in both steps; either may be null. Neither may ask for the name of a thread in the first step.
struct CopyHooks {
  void (*settle)();
  void (*survive)();
};

// To be called once, while the process has one thread and is no copy.
void set_copy_hooks(const CopyHooks& hooks);

// What current_thread() returns for a thread that has no name of this generation. Cold.
ThreadName settle_thread();

// The name of the calling thread. Three loads, but for the first call of a thread or in a copy. Number 0, asked for again
// the next time, where it is not known.
inline ThreadName current_thread() {
  const ThreadName name = t_self.thread;
  return is_of_this_generation(name) ? name : settle_thread();
}

// Settles the copy, if this is one that is not yet. False while another thread is at it: nothing of the generation before
// may be touched then.
[[nodiscard]] bool is_settled_here();

// The child's handler of fork().
void after_fork_in_child();

[[nodiscard]] bool is_forked_child();

}  // namespace memo::runtime
