// The order of locks, and the check of it in builds with assertions.
//
//   the loader's lock   before   the lock of the plans (runtime/serving/serving.cpp)
//
// A program may run passes while it holds the loader's lock: in a constructor of a library, in a callback of
// dl_iterate_phdr. So the library's own locks are taken under the loader's, and nothing that may wait for the loader is
// called with one of its own held: dlopen, dlsym, dl_iterate_phdr. What the loader has to tell is asked for first.
#pragma once

#ifndef NDEBUG
#include <cstdint>
#endif

namespace memo::runtime {

#ifdef NDEBUG

class HoldsLock {
 public:
  // Not trivial, so that nobody takes one that is only there to be held for unused.
  HoldsLock() {}  // NOLINT(modernize-use-equals-default)
};

inline void expect_no_lock_held() {}

#else

inline thread_local constinit std::uint32_t t_locks_held __attribute__((tls_model("initial-exec"))) = 0;

// Lives as long as the calling thread holds a lock of the library's.
class HoldsLock {
 public:
  HoldsLock() { ++t_locks_held; }
  ~HoldsLock() { --t_locks_held; }
  HoldsLock(const HoldsLock&) = delete;
  HoldsLock& operator=(const HoldsLock&) = delete;
};

// To be called by whatever may wait for the loader. Ends the program where the order is broken.
inline void expect_no_lock_held() {
  if (t_locks_held != 0) __builtin_trap();
}

#endif

}  // namespace memo::runtime
