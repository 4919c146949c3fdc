#include "runtime/platform/effort.h"

#include <sys/resource.h>
#include <time.h>

#include "runtime/platform/clock.h"

namespace memo::runtime {

std::int64_t nanoseconds_worked() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

std::int64_t times_driven_out() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

}  // namespace memo::runtime
