#include "runtime/platform/clock.h"

#include <time.h>

namespace memo::runtime {
namespace {

std::int64_t read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace

std::int64_t nanoseconds_now() {
  return read_clock(CLOCK_MONOTONIC);
}

std::int64_t coarse_nanoseconds_now() {
  return read_clock(CLOCK_MONOTONIC_COARSE);
}

std::int64_t nanoseconds_since_1970() {
  return read_clock(CLOCK_REALTIME);
}

}  // namespace memo::runtime
