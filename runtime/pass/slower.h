// Makes each served pass take a fiftieth longer where MEMO_SLOWER is defined: in the library by which `scripts/check/worth --slower` sees
// how soon serving stands aside where it harms. In every other build these functions are empty.
#pragma once

#include <cstdint>

#include "runtime/platform/ticks.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

#ifdef MEMO_SLOWER

inline constexpr std::uint64_t kPartOfAPass = 50;

inline constinit thread_local std::uint64_t t_served_since = 0;  // ticks

inline void note_served_begin() {
  t_served_since = ticks_now();
}

inline void prolong_if_served(const ThreadState& self) {
  if (self.lane == nullptr || self.is_worker) return;
  const std::uint64_t end = ticks_now();
  while ((ticks_now() - end) * kPartOfAPass < end - t_served_since) continue;
}

#else

inline void note_served_begin() {}
inline void prolong_if_served(const ThreadState&) {}

#endif

}  // namespace memo::runtime
