#include "runtime/pass/lane_taking.h"

#include "runtime/pass/arena.h"
#include "runtime/pass/last_variants.h"
#include "runtime/pass/search.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/lanes_on_demand.h"
#include "runtime/serving/look_ups.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/statistics.h"

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

// Returns the variant that an object's passes have, if another object had the last pass of the lane.
const Variant* choose_variant_of(std::uintptr_t object, const Lane& lane, const LoadedPlan& plan,
                                 const Wanted& wanted) {
  return object == 0 || object == lane.progress.object ? nullptr : last_variant_of(object, plan, wanted);
}

// Returns the variant that the lane ran last, if the pass can use it and no other is known for its object. While large slots of
// that variant are live, only one with the same places can run on the lane.
const Variant* choose_variant(const Lane& lane, const LoadedPlan& plan, const Wanted& wanted,
                              std::uintptr_t object) {
  const Variant* last = lane.variant.load(std::memory_order_relaxed);
  const Variant* known = choose_variant_of(object, lane, plan, wanted);
  if (known == last || (known != nullptr && may_run_on(lane, *known))) return known;
  if (wanted.fits(*last)) return last;
  for (const Variant& variant : plan.variants) {
    if (wanted.fits(variant) && may_run_on(lane, variant)) return &variant;
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

// Returns true if blocks still lie in a crowded lane. They will for long: a JIT or a cache keeps them. So the lane's
// idle pages go, once.
bool is_still_held(Lane& lane) {
  if (lane_empty(lane)) return false;
  let_idle_pages_go_once(lane);
  return true;
}

bool usable(Lane& lane) {
  if (lane.crowded && is_still_held(lane)) return false;
  lane.crowded = lane.thinned = false;
  want_pages_again(lane);
  const bool for_workers = lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers;
  return back_lane(lane, for_workers ? Pages::kSmallWhenTouched : Pages::kWhenTouched) || say_no_memory(lane);
}

void start_on(ThreadState& self, Lane& lane, const Variant& variant, const Wanted& wanted) {
  self.lane = &lane;
  self.last_lane = &lane;
  lane.memory.store(LaneMemory::kUsed, std::memory_order_relaxed);
  lane.ran.store(true, std::memory_order_relaxed);
  lane.cold.store(false, std::memory_order_relaxed);
  lane.progress.wanted = wanted;
  lane.progress.searched = 0;
  lane.progress.held_before = 0;
  for (std::uint64_t& count : lane.progress.fallback) count = 0;
  lane.progress.fallback_bytes = lane.progress.kept_bytes = lane.progress.occupied_bytes = 0;
  lane.progress.has_turn = self.has_turn;
  lane.progress.departed = lane.progress.departed_unled = lane.progress.let_go = false;
  self.ignores_operators = variant.sites_tell_iterations && lane.as_planned.needs_no_lead();
  start_variant(self, variant);
}

// What a pass on the lane finds. A pass takes the first of these that it can have.
enum class Find : std::uint8_t { kPages, kUnused, kNoPages, kNoMemory, kElsewhere };

// Costs one comparison more than without nodes. On a machine of one, every node is the same.
Find find_on(const Lane& lane, Node here) {
  if (!has_memory(lane)) return Find::kNoMemory;
  if (lane.cold.load(std::memory_order_relaxed)) return Find::kNoPages;
  if (lane.node.load(std::memory_order_relaxed) == here) return Find::kPages;
  return was_used(lane) ? Find::kElsewhere : Find::kUnused;
}

// Brings a lane that may still go to any node to the thread's, and counts on which node the pass will run.
void settle_on_node(Lane& lane, Node here) {
  const Find find = find_on(lane, here);
  const bool is_there = lane.node.load(std::memory_order_relaxed) == here;
  if (!is_there && find != Find::kElsewhere) bring_lane_to(lane, here);
  Statistics& counters = statistics();
  add(lane.node.load(std::memory_order_relaxed) == here ? counters.own_node : counters.other_node, 1);
}

// Claims the lane first: only a claimed lane keeps the plan from being discarded.
bool begin_on(ThreadState& self, Lane& lane, const LoadedPlan* plan, const Outset& outset, Node here) {
  if (lane.use.load(std::memory_order_relaxed) != use_of(self)) return false;
  if (!claim_lane(lane, plan, current_thread())) return false;
  Wanted wanted;
  self.why = find_wanted(self, *plan, outset.key, &wanted) ? Reason::kNoLane : Reason::kNoPlan;
  const Variant* variant =
      self.why == Reason::kNoPlan ? nullptr : choose_variant(lane, *plan, wanted, outset.object);
  if (variant == nullptr || !usable(lane)) {
    give_lane(lane);
    return false;
  }
  if (here != kNoNode) settle_on_node(lane, here);
  lane.progress.object = outset.object;
  start_on(self, lane, *variant, wanted);
  return true;
}

// Takes the first lane on which the pass finds this.
bool begin_where(Find find, ThreadState& self, const LoadedPlan* plan, const Outset& outset, Node here) {
  for (Lane& lane : g_lanes) {
    if (self.why == Reason::kNoPlan) return false;
    if (find_on(lane, here) == find && begin_on(self, lane, plan, outset, here)) return true;
  }
  return false;
}

// Takes a lane whose pages lie on the thread's node, or will.
bool begin_nearby(ThreadState& self, const LoadedPlan* plan, const Outset& outset, Node here) {
  for (const Find find : {Find::kPages, Find::kUnused, Find::kNoPages, Find::kNoMemory}) {
    if (begin_where(find, self, plan, outset, here)) return true;
  }
  return false;
}

// Takes a lane of another node, for the case that no lane nearby is left. There are none of another node on a machine of one.
bool begin_elsewhere(ThreadState& self, const LoadedPlan* plan, const Outset& outset, Node here) {
  if (here == kNoNode) return false;
  const bool added = self.is_worker && add_lane_on_demand(LaneFor::kWorkers);
  if (added && begin_where(Find::kNoMemory, self, plan, outset, here)) return true;
  return begin_where(Find::kElsewhere, self, plan, outset, here);
}

// Reads the thread's node once for the pass: threads move.
bool begin_on_any(ThreadState& self, const LoadedPlan* plan, const Outset& outset) {
  self.why = Reason::kNoLane;
  const Node here = node_here();
  Lane* last = self.last_lane;
  if (last != nullptr && find_on(*last, here) == Find::kPages && begin_on(self, *last, plan, outset, here))
    return true;
  return begin_nearby(self, plan, outset, here) || begin_elsewhere(self, plan, outset, here);
}

// Looks for binaries of the plan that are still missing: a program may load its libraries long after its plan.
void look_for_late_modules() {
  if (modules_are_missing()) modules_changed();
}

}  // namespace

void take_lane(ThreadState& self, const Outset& outset) {
  look_for_late_modules();
  const LoadedPlan* plan = g_plan.load(std::memory_order_acquire);
  self.why = Reason::kNoPlan;
  if (plan == nullptr || begin_on_any(self, plan, outset)) return;
  const bool more =
      self.why == Reason::kNoLane &&
      (end_passes_of_ended_threads() || (self.is_worker && add_lane_on_demand(LaneFor::kWorkers)));
  if (more) begin_on_any(self, plan, outset);
}

}  // namespace memo::runtime
