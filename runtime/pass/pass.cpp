// Passes: taking a lane, giving it back, and what a nested or an abandoned pass means.
#include <algorithm>

#include "runtime/pass/arena.h"
#include "runtime/pass/loop_cursor.h"
#include "runtime/pass/search.h"
#include "runtime/pass/workers.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/ticks.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/serving.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/accounts.h"

namespace memo::runtime {
namespace {

constexpr std::uint64_t kHardlyAny = 512;  // 1/512 of a pass's blocks: fewer taken places do not count
constexpr std::uint64_t kWorthALane =
    16;  // 1/16 of a pass's blocks: so many taken places are worth a fresh lane
constexpr std::uint64_t kMostOfAPass =
    32;  // 1/32 of a pass's blocks: one bad pass adds no more, since it proves nothing

bool find_wanted(const LoadedPlan& plan, std::uint64_t key, Wanted* wanted) {
  bool keyless = false;
  for (const Variant& variant : plan.variants) {
    if (is_for_workers(variant)) continue;
    if (variant.pass_key == key) return *wanted = {.any = false, .key = key}, true;
    keyless |= variant.pass_key == 0;
  }
  *wanted = {.any = key == 0 && !keyless, .key = 0};
  return keyless || key == 0;
}

bool find_wanted(const ThreadState& self, const LoadedPlan& plan, std::uint64_t key, Wanted* wanted) {
  if (!self.is_worker) return find_wanted(plan, key, wanted);
  *wanted = {.any = false, .key = kWorkerPassKey};
  return plan.worker_bytes != 0;
}

LaneFor use_of(const ThreadState& self) {
  return self.is_worker ? LaneFor::kWorkers : LaneFor::kPasses;
}

// Returns the variant that the lane ran last, if the pass can use it. While large slots of that variant are
// live, no other can run on the lane.
const Variant* choose_variant(const Lane& lane, const LoadedPlan& plan, const Wanted& wanted) {
  const Variant* last = lane.variant.load(std::memory_order_relaxed);
  if (wanted.fits(*last)) return last;
  if (!large_empty(lane)) return nullptr;
  for (const Variant& variant : plan.variants) {
    if (wanted.fits(variant)) return &variant;
  }
  return nullptr;
}

bool say_no_memory() {
  static constinit std::atomic<bool> said{false};
  if (!said.exchange(true, std::memory_order_relaxed))
    notice("no memory for another lane: passes that find none idle go to the heap");
  return false;
}

// Returns true if blocks still lie in a lane that was set aside. They will for long: a JIT or a cache keeps
// them. So the lane's idle pages go, once.
bool is_still_held(Lane& lane) {
  if (lane_empty(lane)) return false;
  if (!lane.thinned) let_idle_pages_go(lane);
  lane.thinned = true;
  return true;
}

bool usable(Lane& lane) {
  if (lane.set_aside && is_still_held(lane)) return false;
  lane.set_aside = lane.thinned = false;
  const bool for_workers = lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers;
  return back_lane(lane, for_workers ? Pages::kSmallWhenTouched : Pages::kWhenTouched) || say_no_memory();
}

void start_on(ThreadState& self, Lane& lane, const Variant& variant, const Wanted& wanted) {
  self.lane = &lane;
  self.last_lane = &lane;
  lane.used.store(true, std::memory_order_relaxed);
  lane.progress.wanted = wanted;
  for (std::uint64_t& count : lane.progress.fallback) count = 0;
  lane.progress.fallback_bytes = lane.progress.own_ticks = lane.progress.searches = 0;
  start_variant(self, variant);
}

// Claims the lane first: only a claimed lane keeps the plan from being discarded.
bool begin_on(ThreadState& self, Lane& lane, const LoadedPlan* plan, std::uint64_t key) {
  if (lane.use.load(std::memory_order_relaxed) != use_of(self)) return false;
  if (!claim_lane(lane, plan, current_thread())) return false;
  Wanted wanted;
  self.why = find_wanted(self, *plan, key, &wanted) ? Reason::kNoLane : Reason::kNoPlan;
  const Variant* variant = self.why == Reason::kNoPlan ? nullptr : choose_variant(lane, *plan, wanted);
  if (variant == nullptr || !usable(lane)) {
    give_lane(lane);
    return false;
  }
  start_on(self, lane, *variant, wanted);
  return true;
}

bool begin_on_any(ThreadState& self, const LoadedPlan* plan, std::uint64_t key) {
  self.why = Reason::kNoLane;
  if (self.last_lane != nullptr && begin_on(self, *self.last_lane, plan, key)) return true;
  for (Lane& lane : g_lanes) {
    if (self.why == Reason::kNoPlan) return false;
    if (begin_on(self, lane, plan, key)) return true;
  }
  return false;
}

// Looks for binaries of the plan that are still missing: a program may load its libraries long after its plan.
void look_for_late_modules(const LoadedPlan* plan) {
  if (plan != nullptr && plan->missing_modules.load(std::memory_order_relaxed) != 0) modules_changed();
}

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
  return all;
}

void take_lane(ThreadState& self, std::uint64_t key) {
  const LoadedPlan* plan = g_plan.load(std::memory_order_acquire);
  look_for_late_modules(plan);
  self.why = Reason::kNoPlan;
  if (plan == nullptr || begin_on_any(self, plan, key)) return;
  const bool more =
      self.why == Reason::kNoLane &&
      (end_passes_of_ended_threads() || (self.is_worker && add_lane_on_demand(LaneFor::kWorkers)));
  if (more) begin_on_any(self, plan, key);
}

void say_if_stale(LoadedPlan& plan) {
  const std::uint32_t missing = plan.missing_modules.load(std::memory_order_relaxed);
  if (missing == 0 || plan.said_stale.exchange(true, std::memory_order_relaxed)) return;
  notice(
      "%u of the %zu binaries that the plan was made from are not loaded: another build of them runs; their "
      "allocations go to the heap until you profile and plan again",
      missing, plan.file.modules().size());
}

// Returns true if the lane shall be set aside. Blocks that outlived their passes, such as those of a JIT that
// compiles in the first passes, hold cells that every pass wants. The taken places that passes in a row find
// add up; at a sixteenth of a pass a fresh lane is worth more. Where no fresh lane can be had, the library asks
// ever more seldom, since asking costs a look at every cell.
bool is_useless(Lane& lane, std::uint64_t served) {
  const std::uint64_t occupied = lane.progress.fallback[static_cast<int>(Reason::kOccupied)];
  if (occupied > served) return true;
  if (occupied <= served / kHardlyAny) return lane.places_taken = 0, false;
  lane.places_taken += std::min(occupied, served / kMostOfAPass + 1);
  if (lane.places_taken <= std::max<std::uint64_t>(served / kWorthALane, 1) << lane.asked_for_another)
    return false;
  ++lane.asked_for_another;
  return live_blocks(lane) != 0 && substitute_lane(lane);
}

// Returns true if the pass seems to have a larger shape than the profile. A pass that has little in common with
// the plan, such as one in which a JIT compiles, now and then asks for a size on a line. So it does not count
// if most of its requests missed, apart from those that were too large.
bool is_a_larger_shape(const Progress& progress, std::uint64_t served, std::uint64_t missed) {
  return missed <= served + 2 * (progress.growth.requests() + progress.outgrown);
}

void pay_for_pass(const Progress& progress, std::uint64_t served) {
  settle_account(progress.pass_key, {.ticks = ticks_now() - progress.begun_at,
                                     .own_ticks = progress.own_ticks,
                                     .served = served,
                                     .fresh_pages = 0});
}

// Returns what the pass missed for any reason, on its lane and without one.
std::uint64_t all_missed(const ThreadState& self) {
  std::uint64_t all = self.missed;
  if (self.lane == nullptr) return all;
  for (const std::uint64_t count : self.lane->progress.fallback) all += count;
  return all;
}

void count_steady_pass(const ThreadState& self) {
  SteadyCounters& steady = statistics().steady;
  add(steady.passes, 1);
  add(steady.served, self.served);
  add(steady.served_bytes, self.served_bytes);
  add(steady.missed, all_missed(self));
  add(steady.missed_bytes,
      self.missed_bytes + (self.lane != nullptr ? self.lane->progress.fallback_bytes : 0));
}

void end_on_lane(ThreadState& self) {
  Lane& lane = *self.lane;
  LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  PassCounters& counters = counters_of(use_of(self));
  add(counters.served, self.served);
  add(counters.served_bytes, self.served_bytes);
  const std::uint64_t missed = add_fallback(counters, lane.progress);
  lane.set_aside = is_useless(lane, self.served);
  if (missed > self.served) say_if_stale(plan);
  if (is_a_larger_shape(lane.progress, self.served, missed))
    want_growth(plan, *lane.variant.load(std::memory_order_relaxed), lane.progress.growth,
                lane.progress.outgrown);
  if (missed > self.served / 8) modules_changed();
  heap_has_provided(lane.progress.fallback_bytes, lane.bytes);
  if (!self.is_worker) pay_for_pass(lane.progress, self.served);
  self.lane = nullptr;
  give_lane(lane);
}

void end_pass(ThreadState& self) {
  count_served(self);
  place_cursor(self, &kNoPass);
  self.depth = 0;
  PassCounters& counters = counters_of(use_of(self));
  add(counters.passes, 1);
  if (self.is_steady) count_steady_pass(self);
  add(counters.fallback[static_cast<int>(self.why)], self.missed);
  add(counters.fallback_bytes, self.missed_bytes);
  if (self.lane != nullptr) end_on_lane(self);
  if (!self.is_worker) g_running_passes.end();
  self.is_worker = false;
}

bool is_at_its_end(const ThreadState& self) {
  const Variant& variant = *self.lane->variant.load(std::memory_order_relaxed);
  return self.cursor == variant.hot + variant.slot_count && !ends_in_a_loop(variant);
}

// Returns true if the plan has nothing left for the outer pass: a begin inside it may as well be a pass of its
// own. So a pass that a deeper frame left without an end does not swallow all passes after it.
bool worn_out(const ThreadState& self) {
  if (self.lane == nullptr) return g_plan.load(std::memory_order_relaxed) != nullptr;
  return self.cursor == &kNoPass || is_at_its_end(self);
}

// Returns true if another variant that the pass may use goes on at this position with a slot for `site`.
bool another_goes_on(const Lane& lane, std::uint64_t site) {
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  const LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  return std::any_of(plan.variants.begin(), plan.variants.end(), [&](const Variant& other) {
    return lane.progress.wanted.fits(other) && other.slot_count > variant.slot_count &&
           other.hot[variant.slot_count].site.load(std::memory_order_relaxed) == site;
  });
}

// Returns true if a begin in this frame joins the running pass. The stack grows downwards, so a deeper frame
// has a lower address.
bool joins(const ThreadState& self, const void* frame) {
  return frame < self.frame && !worn_out(self);
}

void start_without_lane(ThreadState& self, Reason why) {
  self.served = self.served_bytes = self.missed = self.missed_bytes = 0;
  self.depth = 1;
  self.why = why;
}

// Takes the lanes of threads that ended inside passes, or right after them and unnoticed, before memory is
// taken for another lane: once for each thread.
void start_on_a_lane(ThreadState& self, std::uint64_t key) {
  if (self.last_lane == nullptr) end_passes_of_ended_threads();
  start_without_lane(self, Reason::kNoPlan);
  take_lane(self, key);
}

// Starts the pass on a lane, unless serving stands aside for its kind: then the pass has no lane and makes no
// search.
void start_if_worth(ThreadState& self, std::uint64_t key) {
  const std::uint64_t begun_at = ticks_now();
  if (g_plan.load(std::memory_order_relaxed) != nullptr && !is_worth_serving(key)) {
    start_without_lane(self, Reason::kGaveUp);
    return;
  }
  start_on_a_lane(self, key);
  if (self.lane == nullptr) return;
  Progress& progress = self.lane->progress;
  progress.begun_at = begun_at;
  progress.pass_key = key;
  progress.own_ticks = 2 * own_ticks_since(begun_at);  // a pass ends in about the time that it takes to begin
}

// Begins a pass. `frame` is null for a pass that an anchor opened: no begin joins that one.
void set_out(ThreadState& self, std::uint64_t key, const void* frame) {
  current_thread();  // comes before the pass is counted: a copy begins its counts anew
  look_after_plans();
  self.frame = frame;
  self.is_steady = is_past_warm_up(count_pass_of_kind(key));
  g_running_passes.begin();
  start_if_worth(self, key);
}

void set_out_as_worker(ThreadState& self, std::uint32_t latest) {
  self.is_worker = true;
  self.is_steady = false;
  self.worked_for = latest;
  start_on_a_lane(self, kWorkerPassKey);
}

}  // namespace

bool end_passes_of_ended_threads() {
  bool any = false;
  for (Lane& lane : g_lanes) {
    if (!take_from_ended_thread(lane, current_thread())) continue;
    const LaneFor use = lane.use.load(std::memory_order_relaxed);
    if (use == LaneFor::kPasses) g_running_passes.end();
    add(counters_of(use).passes, 1);
    add_fallback(counters_of(use), lane.progress);
    give_lane(lane);
    any = true;
  }
  return any;
}

bool move_worker_on(std::uint64_t site) {
  ThreadState& self = t_self;
  self.moves_on = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (self.is_worker) end_pass(self);
  self.worked_for = 0;
  const std::uint32_t latest = g_running_passes.latest();
  if (latest != 0 && is_worker_site(site)) set_out_as_worker(self, latest);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  self.moves_on = false;
  return self.is_worker;
}

void pass_begin(std::uint64_t key, const void* frame) {
  ThreadState& self = t_self;
  if (self.is_worker) end_pass(self);
  if (self.depth != 0) {
    if (joins(self, frame)) {
      ++self.depth;
      return;
    }
    pass_abandon();
  }
  set_out(self, key, frame);
}

void pass_open(std::uint64_t key) {
  ThreadState& self = t_self;
  if (self.depth != 0) end_pass(self);
  set_out(self, key, nullptr);
}

bool pass_is_used_up(std::uint64_t site) {
  const ThreadState& self = t_self;
  return self.lane != nullptr && !self.is_worker && is_at_its_end(self) && !another_goes_on(*self.lane, site);
}

void pass_end() {
  ThreadState& self = t_self;
  if (self.is_worker || self.depth == 0 || --self.depth != 0) return;
  end_pass(self);
}

void pass_abandon() {
  ThreadState& self = t_self;
  if (self.is_worker || self.depth == 0) return;
  add(statistics().abandoned, 1);
  end_pass(self);
}

}  // namespace memo::runtime
