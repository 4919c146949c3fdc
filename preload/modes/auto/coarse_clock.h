// The clock of mode auto's decisions: it stands still for some milliseconds at a time, and costs a few
// nanoseconds.
#pragma once

#include <cstdint>

#include "runtime/platform/clock.h"

namespace memo::guest {

inline std::int64_t milliseconds_now() {
  return runtime::coarse_nanoseconds_now() / (runtime::kSecond / 1000);
}

inline std::int64_t seconds_now() {
  return milliseconds_now() / 1000;
}

}  // namespace memo::guest
