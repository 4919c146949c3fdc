// The clocks of the trace: the processor's own for the order of events, and the time that relates it to
// seconds.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/platform/ticks.h"

namespace memo::guest {

using runtime::ticks_now;

inline std::uint64_t nanoseconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace memo::guest
