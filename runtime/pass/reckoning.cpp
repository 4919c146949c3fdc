#include "runtime/pass/reckoning.h"

#include <algorithm>

#include "runtime/pass/lane_taking.h"
#include "runtime/pass/last_variants.h"
#include "runtime/pass/peaks.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/ticks.h"
#include "runtime/serving/serving.h"
#include "runtime/slab/accounts.h"

namespace memo::runtime {

namespace {

constexpr std::uint64_t kHardlyAny = 512;  // 1/512 of a pass's blocks: fewer taken places do not count
constexpr std::uint64_t kWorthALane =
    16;  // 1/16 of a pass's blocks: so many taken places are worth a fresh lane
constexpr std::uint64_t kMostOfAPass =
    32;  // 1/32 of a pass's blocks: one bad pass adds no more, since it proves nothing

void say_if_stale(LoadedPlan& plan) {
  const std::uint32_t missing = plan.missing_modules.load(std::memory_order_relaxed);
  if (missing == 0 || plan.said_stale.exchange(true, std::memory_order_relaxed)) return;
  notice(
      "%u of the %zu binaries that the plan was made from are not loaded: another build of them runs; their "
      "allocations go to the heap until you profile and plan again",
      missing, plan.file.modules().size());
}

// Returns how many blocks of the pass found their places taken. Counts a large block for as many as have its bytes: one that is
// kept in the place of a weight or an activation may cost every pass more than a hundred small ones.
std::uint64_t count_taken_places(const Progress& progress, const ThreadState& self) {
  const std::uint64_t places = progress.fallback[static_cast<int>(Reason::kOccupied)];
  const std::uint64_t bytes_of_one = self.served_bytes / std::max<std::uint64_t>(self.served, 1);
  return std::max(places, progress.occupied_bytes / std::max<std::uint64_t>(bytes_of_one, kGranule));
}

// Returns true if the lane shall be set aside. Blocks that outlived their passes, such as those of a JIT that
// compiles in the first passes, hold cells that every pass wants. The taken places that passes in a row find
// add up; at a sixteenth of a pass a fresh lane is worth more. Where no fresh lane can be had, the library asks
// ever more seldom, since asking costs a look at every cell.
bool is_useless(Lane& lane, const ThreadState& self) {
  const std::uint64_t served = self.served;
  if (lane.progress.fallback[static_cast<int>(Reason::kOccupied)] > served) return true;
  const std::uint64_t taken = count_taken_places(lane.progress, self);
  if (taken <= served / kHardlyAny) return lane.places_taken = 0, false;
  lane.places_taken += std::min(taken, served / kMostOfAPass + 1);
  if (lane.places_taken <= std::max<std::uint64_t>(served / kWorthALane, 1) << lane.asked_for_another)
    return false;
  ++lane.asked_for_another;
  return live_blocks(lane) != 0 && substitute_lane(lane);
}

// Returns true if the pass seems to have a larger shape than the profile. A pass that has little in common with
// the plan, such as one in which a JIT compiles, now and then asks for a size on a line. So it does not count
// if most of its requests missed, apart from those that were too large.
bool is_a_larger_shape(const Progress& progress, std::uint64_t served, std::uint64_t missed) {
  return missed <= served + 2 * (progress.growth.requests() + progress.outgrown.requests());
}

// Returns the ticks of hearing operators that say whether serving is worth it. Those of the first passes that go as planned do not:
// the next ones will not hear of them.
std::uint64_t lasting_operator_ticks(const Lane& lane) {
  const bool soon_ignored = lane.variant.load(std::memory_order_relaxed)->sites_tell_turns &&
                            !lane.progress.departed && lane.as_planned.is_in_first_row();
  return soon_ignored ? 0 : lane.progress.operator_ticks;
}

// Charges no pass for `anew`, the bytes of the heap that it touched anew, if it missed most of its blocks: as it warms up, it would
// touch them under any heap.
void pay_for_pass(const Lane& lane, const ThreadState& self, std::uint64_t missed, std::uint64_t anew) {
  const Progress& progress = lane.progress;
  settle_account(progress.pass_key, {.begun_at = progress.asked_at,
                                     .ticks = ticks_now() - progress.asked_at,
                                     .own_ticks = progress.own_ticks + lasting_operator_ticks(lane),
                                     .served = self.served,
                                     .served_bytes = self.served_bytes,
                                     .fresh_pages = missed <= self.served ? anew / page_bytes() : 0,
                                     .lane_pages = lane.bytes / page_bytes()});
}

// Returns what the pass missed for any reason, on its lane and without one.
std::uint64_t all_missed(const ThreadState& self) {
  std::uint64_t all = self.missed;
  if (self.lane == nullptr) return all;
  for (const std::uint64_t count : self.lane->progress.fallback) all += count;
  return all;
}

// Notes whether the pass went as planned, for the decision whether operators are to lead the next one.
void note_how_it_went(Lane& lane) {
  if (!lane.progress.departed) return lane.as_planned.note_as_planned();
  lane.as_planned.note_departure(lane.progress.departed_unled);
}

// Returns true if the plan has places for much that the pass did not find.
bool missed_much(const Progress& progress, std::uint64_t served, std::uint64_t missed) {
  const std::uint64_t foreseen = progress.fallback[static_cast<int>(Reason::kUnplanned)] +
                                 progress.fallback[static_cast<int>(Reason::kKept)];
  return missed - foreseen > served / kWorthALane;
}

}  // namespace

PassCounters& counters_of(LaneFor use) {
  return use == LaneFor::kWorkers ? statistics().workers : statistics();
}

std::uint64_t add_fallback(PassCounters& counters, const Progress& progress) {
  std::uint64_t all = 0;
  for (std::uint32_t reason = 0; reason < kReasonCount; ++reason) {
    add(counters.fallback[reason], progress.fallback[reason]);
    all += progress.fallback[reason];
  }
  add(counters.fallback_bytes, progress.fallback_bytes);
  add(counters.kept_bytes, progress.kept_bytes);
  return all;
}

void count_steady_pass(const ThreadState& self) {
  SteadyCounters& steady = statistics().steady;
  add(steady.passes, 1);
  add(steady.served, self.served);
  add(steady.served_bytes, self.served_bytes);
  add(steady.missed, all_missed(self));
  add(steady.missed_bytes, self.missed_bytes);
  if (self.lane == nullptr) return;
  const Progress& progress = self.lane->progress;
  add(steady.missed_bytes, progress.fallback_bytes);
  add(steady.kept, progress.fallback[static_cast<int>(Reason::kKept)]);
  add(steady.kept_bytes, progress.kept_bytes);
}

void end_on_lane(ThreadState& self) {
  Lane& lane = *self.lane;
  LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  PassCounters& counters = counters_of(use_of(self));
  add(counters.served, self.served);
  add(counters.served_bytes, self.served_bytes);
  const std::uint64_t missed = add_fallback(counters, lane.progress);
  leave_peak(self);
  count_peaks(plan, lane.progress);
  note_how_it_went(lane);
  if (lane.progress.object != 0)
    note_variant_of(lane.progress.object, lane, missed_much(lane.progress, self.served, missed));
  lane.set_aside = is_useless(lane, self);
  if (missed > self.served) say_if_stale(plan);
  if (is_a_larger_shape(lane.progress, self.served, missed))
    want_growth(plan, *lane.variant.load(std::memory_order_relaxed), lane.progress);
  if (missed > self.served / 8) modules_changed();
  const std::uint64_t anew = heap_has_provided(lane.progress.fallback_bytes, lane.bytes);
  if (!self.is_worker) pay_for_pass(lane, self, missed, anew);
  self.lane = nullptr;
  give_lane(lane);
}

}  // namespace memo::runtime
