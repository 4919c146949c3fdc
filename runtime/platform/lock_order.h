// The order of locks, and the check of it in builds with assertions.
//
//   the loader's lock   before   the lock of the plans (runtime/serving/serving.cpp)
//
// A program may run passes while it holds the loader's lock: in a constructor of a library, in a callback of
// dl_iterate_phdr. So the library takes its own locks under the loader's, and while it holds one it calls
// nothing that may wait for the loader: dlopen, dlsym, dl_iterate_phdr. It asks the loader first, and takes its
// lock then.
#pragma once

#ifndef NDEBUG
#include <cstdint>
#endif

namespace memo::runtime {

#ifdef NDEBUG

class HoldsLock {
 public:
  // Not trivial, so that compilers do not warn of an unused variable that only lives as long as a lock is held.
  HoldsLock() {}  // NOLINT(modernize-use-equals-default)
};

inline void expect_no_lock_held() {}

#else

inline thread_local constinit std::uint32_t t_locks_held __attribute__((tls_model("initial-exec"))) = 0;

// Lives as long as the calling thread holds a lock of the library.
class HoldsLock {
 public:
  HoldsLock() { ++t_locks_held; }
  ~HoldsLock() { --t_locks_held; }
  HoldsLock(const HoldsLock&) = delete;
  HoldsLock& operator=(const HoldsLock&) = delete;
};

// Ends the program if the calling thread holds a lock of the library. To be called by all that may wait for the
// loader.
inline void expect_no_lock_held() {
  if (t_locks_held != 0) __builtin_trap();
}

#endif

}  // namespace memo::runtime
