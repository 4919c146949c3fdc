#include "preload/modes/auto/own_price.h"

#include <cstdint>

#include "preload/modes/auto/coarse_clock.h"
#include "preload/modes/auto/learning.h"
#include "preload/modes/profile/own_cost.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/effort.h"
#include "runtime/platform/ticks.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kWorthAReading = 1U << 18;  // ticks of the recorder

// What the recorder touches takes the place of what the program had in its caches: for each second of the recorder's, the
// program takes half a second longer (measured on maps of strings).
constexpr double kWithWhatItEvicts = 1.5;

// One moment on the processor's counter and on the clock. Where they stand apart later on says how long a tick is.
struct Moment {
  std::uint64_t ticks;
  std::int64_t nanoseconds;
};
constinit Moment g_first{};

Moment moment_now() {
  return {runtime::ticks_now(), runtime::nanoseconds_now()};
}

std::int64_t nanoseconds_of(std::uint64_t ticks) {
  const Moment now = moment_now();
  const auto between = static_cast<double>(now.ticks - g_first.ticks);
  if (between == 0) return 0;
  return static_cast<std::int64_t>(static_cast<double>(ticks) * kWithWhatItEvicts *
                                   static_cast<double>(now.nanoseconds - g_first.nanoseconds) / between);
}

// Returns true if enough has happened since the last reading.
bool is_due(std::uint64_t ticks) {
  static constinit std::uint64_t last_ticks = 0;
  static constinit std::int64_t last_millisecond = 0;
  const std::int64_t now = milliseconds_now();
  if (now == last_millisecond && ticks - last_ticks < kWorthAReading) return false;
  last_ticks = ticks;
  last_millisecond = now;
  return true;
}

}  // namespace

void bring_price_up_to_date() {
  const std::uint64_t ticks = ticks_of_recorder();
  if (!is_due(ticks)) return;
  if (g_first.nanoseconds == 0) g_first = moment_now();
  g_learning.price.account(nanoseconds_of(ticks), runtime::nanoseconds_worked());
}

}  // namespace memo::guest
