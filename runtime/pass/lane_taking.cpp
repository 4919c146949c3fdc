#include "runtime/pass/lane_taking.h"

#include "runtime/pass/arena.h"
#include "runtime/pass/search.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/serving.h"

namespace memo::runtime {

namespace {

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

bool say_no_memory(const Lane& lane) {
  static constinit std::atomic<bool> said{false};
  if (said.exchange(true, std::memory_order_relaxed)) return false;
  const MemoryBudget budget = memory_budget();
  if (lane.bytes > budget.left) {
    notice(
        "the memory budget of %llu bytes has no room for another lane of %llu: passes that find none idle go to the heap; raise "
        "--memory-budget, or let fewer passes run at once",
        static_cast<unsigned long long>(budget.bytes), static_cast<unsigned long long>(lane.bytes));
  } else {
    notice("no memory for another lane: passes that find none idle go to the heap");
  }
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
  return back_lane(lane, for_workers ? Pages::kSmallWhenTouched : Pages::kWhenTouched) || say_no_memory(lane);
}

void start_on(ThreadState& self, Lane& lane, const Variant& variant, const Wanted& wanted) {
  self.lane = &lane;
  self.last_lane = &lane;
  lane.used.store(true, std::memory_order_relaxed);
  lane.ran.store(true, std::memory_order_relaxed);
  lane.cold.store(false, std::memory_order_relaxed);
  lane.progress.wanted = wanted;
  for (std::uint64_t& count : lane.progress.fallback) count = 0;
  lane.progress.fallback_bytes = lane.progress.kept_bytes = lane.progress.own_ticks = lane.progress.searches =
      0;
  lane.progress.departed = lane.progress.departed_unled = false;
  self.ignores_operators = variant.loops.empty() && lane.as_planned.needs_no_lead();
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

// What a pass on the lane finds. A pass takes the first of these that it can have.
enum class Find : std::uint8_t { kPages, kNoPages, kNoMemory };

Find find_on(const Lane& lane) {
  if (!lane.backed.load(std::memory_order_relaxed)) return Find::kNoMemory;
  return lane.cold.load(std::memory_order_relaxed) ? Find::kNoPages : Find::kPages;
}

bool begin_on_any(ThreadState& self, const LoadedPlan* plan, std::uint64_t key) {
  self.why = Reason::kNoLane;
  Lane* last = self.last_lane;
  if (last != nullptr && find_on(*last) == Find::kPages && begin_on(self, *last, plan, key)) return true;
  for (const Find find : {Find::kPages, Find::kNoPages, Find::kNoMemory}) {
    for (Lane& lane : g_lanes) {
      if (self.why == Reason::kNoPlan) return false;
      if (find_on(lane) == find && begin_on(self, lane, plan, key)) return true;
    }
  }
  return false;
}

// Looks for binaries of the plan that are still missing: a program may load its libraries long after its plan.
void look_for_late_modules() {
  if (modules_are_missing()) modules_changed();
}

}  // namespace

void take_lane(ThreadState& self, std::uint64_t key) {
  look_for_late_modules();
  const LoadedPlan* plan = g_plan.load(std::memory_order_acquire);
  self.why = Reason::kNoPlan;
  if (plan == nullptr || begin_on_any(self, plan, key)) return;
  const bool more =
      self.why == Reason::kNoLane &&
      (end_passes_of_ended_threads() || (self.is_worker && add_lane_on_demand(LaneFor::kWorkers)));
  if (more) begin_on_any(self, plan, key);
}

}  // namespace memo::runtime
