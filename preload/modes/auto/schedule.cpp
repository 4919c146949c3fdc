#include "preload/modes/auto/schedule.h"

namespace memo::guest {
namespace {

constexpr std::uint32_t kBadInARow = 2;

// Returns true if at least nine tenths of the window's allocations and of their bytes were served. A window
// without misses is good, even if nothing was allocated in it. The statistics do not count missed bytes by
// reason: each reason gets the same share of the bytes as of the allocations.
bool is_good(const PassCounts& from, const PassCounts& to) {
  const std::uint64_t missed = to.missed - from.missed;
  if (missed == 0) return true;
  const std::uint64_t of_all = missed + to.beyond_plans - from.beyond_plans;
  const std::uint64_t missed_bytes = (to.missed_bytes - from.missed_bytes) / of_all * missed;
  return to.served - from.served >= 9 * missed && to.served_bytes - from.served_bytes >= 9 * missed_bytes;
}

}  // namespace

// Returns true unless the rest after the last recording still lasts, or too many recordings were in vain.
bool Schedule::is_wanted(const PassCounts& now, std::int64_t seconds) {
  const std::int64_t rest = rests_ * (waits_for_plan_ ? kPlanningSeconds : kLeastRestSeconds);
  if (in_vain_ == kMostInVain || now.passes < not_before_passes_ || seconds < recorded_seconds_ + rest)
    return false;
  ++in_vain_;
  return true;
}

bool Schedule::is_due(const PassCounts& now, std::int64_t seconds) {
  const bool good = is_good(window_, now);
  begin_window_at(now);
  if (!now.planned) {
    bad_windows_ = 0;
    return is_wanted(now, seconds);
  }
  if (good) {
    bad_windows_ = 0;
    if (++good_windows_ >= kGoodInARow) in_vain_ = 0;
    return false;
  }
  good_windows_ = 0;
  return ++bad_windows_ >= kBadInARow && is_wanted(now, seconds);
}

void Schedule::recorded(std::uint64_t passes, const PassCounts& now, std::int64_t seconds) {
  not_before_passes_ = now.passes + kRest * passes;
  recorded_seconds_ = seconds;
  rests_ = std::int64_t{1} << in_vain_;
  begin_window(now);
  waits_for_plan_ = true;
}

void Schedule::begin_window(const PassCounts& now) {
  begin_window_at(now);
  bad_windows_ = good_windows_ = 0;
  waits_for_plan_ = false;
}

void Schedule::begin_window_at(const PassCounts& now) {
  window_.served = now.served;
  window_.served_bytes = now.served_bytes;
  window_.missed = now.missed;
  window_.beyond_plans = now.beyond_plans;
  window_.missed_bytes = now.missed_bytes;
  __atomic_store_n(&window_.passes, now.passes, __ATOMIC_RELAXED);
}

}  // namespace memo::guest
