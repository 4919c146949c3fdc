// The order of events: a counter that every thread reads from its own core in a few nanoseconds and that the kernel
// keeps in step between cores.
#pragma once

#include <time.h>

#include <cstdint>

namespace memo::guest {

// About 7 ns. Not serialising: two readings of one thread never go backwards, and a reading that follows a
// synchronisation with another thread follows that thread's earlier ones.
inline std::uint64_t ticks_now() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

inline std::uint64_t nanoseconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace memo::guest
