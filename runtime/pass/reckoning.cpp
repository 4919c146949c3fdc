#include "runtime/pass/reckoning.h"

#include <algorithm>

#include "runtime/pass/lane_taking.h"
#include "runtime/pass/last_variants.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/figures.h"
#include "runtime/serving/growing.h"
#include "runtime/serving/lanes_on_demand.h"
#include "runtime/serving/look_ups.h"
#include "runtime/slab/skipping.h"

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

// Returns true if the lane is too crowded to be used again before it is empty. Blocks that outlived their passes, such as those of a JIT that
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
  return missed <= served + 2 * progress.wishes.too_large();
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

void count_steady_blocks(const ThreadState& self) {
  SteadyCounters& steady = statistics().steady;
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

void count_skipped_passes(std::uint64_t key, PassKind& kind) {
  Skip& skip = skip_of(key);
  const std::uint64_t passes = take_skipped(skip);
  if (passes == 0) return;
  const PassingBy& one = passing_by(kind);
  const std::uint64_t blocks = passes * one.blocks();
  const std::uint64_t bytes = passes * one.bytes();
  const Reason why = skip.why.load(std::memory_order_relaxed);
  if (why == Reason::kGaveUp) count_aside_passes(passes);
  Statistics& counters = statistics();
  add(counters.passes, passes);
  add(counters.fallback[static_cast<int>(why)], blocks);
  add(counters.fallback_bytes, bytes);
  if (!is_past_warm_up(count_passes(kind, passes))) return;
  add(counters.steady.passes, passes);
  add(counters.steady.missed, blocks);
  add(counters.steady.missed_bytes, bytes);
}

void count_all_skipped_passes() {
  for (const Skip& skip : g_skips) {
    const std::uint64_t key = skip.key.load(std::memory_order_relaxed);
    if (key != 0) count_skipped_passes(key - 1, kind_of(key - 1));
  }
}

void end_on_lane(ThreadState& self) {
  Lane& lane = *self.lane;
  LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  PassCounters& counters = counters_of(use_of(self));
  add(counters.served, self.served);
  add(counters.served_bytes, self.served_bytes);
  add(counters.searched, lane.progress.searched);
  const std::uint64_t missed = add_fallback(counters, lane.progress);
  note_how_it_went(lane);
  if (lane.progress.object != 0)
    note_variant_of(lane.progress.object, lane, missed_much(lane.progress, self.served, missed));
  lane.crowded = is_useless(lane, self);
  if (missed > self.served) say_if_stale(plan);
  if (is_a_larger_shape(lane.progress, self.served, missed))
    want_growth(plan, *lane.variant.load(std::memory_order_relaxed), lane.progress.wishes);
  if (missed > self.served / 8) modules_changed();
  self.missed = missed;
  self.missed_bytes = lane.progress.fallback_bytes;
  self.lane = nullptr;
  give_lane(lane);
}

}  // namespace memo::runtime
