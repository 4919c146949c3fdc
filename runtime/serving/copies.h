// Prepares a copy of the process before the arena works in it, whatever made the copy
// (runtime/platform/identity.h).
//
//   1. Settling, once for each copy: the first thread that comes resets the statistics.
//   2. The survivor, the one thread that was copied, takes along what is its own: its lanes, its pass.
//      Everything else that bears a name of the generation before belongs to threads that do not exist here,
//      and is free from then on.
//
// A thread notices both where it begins a pass, takes up a plan or writes events: its name is of another
// generation, or it has none. Until the survivor has come, lanes of the generation before stay as they are: one
// of them may be the survivor's, which goes on in it without noticing anything.
#pragma once

#include "runtime/platform/identity.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// Further work in the two steps; either may be null. settle() must not ask for the name of a thread.
struct CopyHooks {
  void (*settle)();
  void (*survive)();
};

// Sets the hooks. To be called once, while the process has one thread and is no copy.
void set_copy_hooks(const CopyHooks& hooks);

// Settles the copy and names the calling thread, where current_thread() finds that it has no name of this
// generation. Cold.
ThreadName settle_thread();

// Returns the name of the calling thread. Costs three loads, except at a thread's first call and in a copy.
// Returns number 0 where the name is not known; the next call asks again.
inline ThreadName current_thread() {
  const ThreadName name = t_self.thread;
  return is_of_this_generation(name) ? name : settle_thread();
}

// Settles the copy, if this process is a copy that is not settled yet. Returns false while another thread does
// that: nothing of the generation before may be touched then.
[[nodiscard]] bool is_settled_here();

// The handler of fork() in the child.
void after_fork_in_child();

[[nodiscard]] bool is_forked_child();

// Returns false in a copy that was made without the handlers of fork(), and in copies of such a copy: another thread may
// have held a lock of the C library, and a start of a thread there may wait for it for ever.
[[nodiscard]] bool may_start_threads();

}  // namespace memo::runtime
