// The order of locks, and the check of it in builds with assertions. A thread that holds one of them may wait for a later
// one only:
//
//   the loader's lock     dlopen, dlsym, dl_iterate_phdr, constructors of libraries
//   Lock::kPlans          plans and lanes (runtime/serving/plan_lock.h); fork() holds it, too
//   Lock::kRecording      a recorder that stops or resumes (preload/modes/profile/recorder_state.h)
//   Lock::kTraceFile      a trace that is being opened or forgotten (preload/modes/profile/trace_file.h)
//   the heap's locks      jemalloc's own; it calls nothing of the library that waits, but for the next
//   Lock::kHeapPages      the pages that show at several addresses (preload/heap/aliased_pages.h)
//
// A program may run passes while it holds the loader's lock: in a constructor of a library, in a callback of
// dl_iterate_phdr. So the library takes its own locks under the loader's, and while it holds one it calls
// nothing that may wait for the loader. It asks the loader first, and takes its lock then.
//
// Everything else that threads share is atomic words without a wait. Two waits are no locks, since they end by
// themselves: fork() and visits of the loader wait for each other for 0.1 s (runtime/platform/loader.h), and threads that
// come before the library has started wait for the one that starts it (preload/start/start.cpp).
#pragma once

#include <cstdint>

namespace memo::runtime {

// Locks are ordered by bit: a later one has a higher bit.
enum class Lock : std::uint32_t { kPlans = 1, kRecording = 2, kTraceFile = 4, kHeapPages = 8 };

#ifdef NDEBUG

inline void expect_may_wait_for(Lock /*lock*/) {}
inline void expect_no_lock_held() {}
inline void note_taken(Lock /*lock*/) {}
inline void note_given_back(Lock /*lock*/) {}

#else

inline thread_local constinit std::uint32_t t_locks_held __attribute__((tls_model("initial-exec"))) = 0;

// Ends the program if the calling thread holds this lock or a later one. To be called before a lock is waited for.
inline void expect_may_wait_for(Lock lock) {
  if (t_locks_held >= static_cast<std::uint32_t>(lock)) __builtin_trap();
}

// Ends the program if the calling thread holds a lock of the library. To be called by all that may wait for the
// loader.
inline void expect_no_lock_held() {
  if (t_locks_held != 0) __builtin_trap();
}

inline void note_taken(Lock lock) {
  t_locks_held |= static_cast<std::uint32_t>(lock);
}

inline void note_given_back(Lock lock) {
  t_locks_held &= ~static_cast<std::uint32_t>(lock);
}

#endif

}  // namespace memo::runtime
