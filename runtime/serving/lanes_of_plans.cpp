#include "runtime/serving/lanes_of_plans.h"

#include <algorithm>

#include "runtime/plan/growth.h"
#include "runtime/plan/worker_sites.h"
#include "runtime/platform/backoff.h"
#include "runtime/platform/clock.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/plan_lock.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

namespace {

constexpr std::uint32_t kLanesOnDemand = 64;
constexpr std::uint32_t kSubstitutes = 8;  // lanes that may replace useless ones
constexpr Backoff<std::int64_t> kRetirementPauses{.first = 1'000'000, .longest = 512'000'000};  // nanoseconds

// The plan that served when the thread looked at old lanes last. Its own lane is among them after a change.
thread_local constinit const LoadedPlan* t_looked_under __attribute__((tls_model("initial-exec"))) = nullptr;

bool is_vacant(const Lane& lane) {
  return LaneWord{lane.word.load(std::memory_order_acquire)}.state() == LaneState::kVacant;
}

// Returns the first chunk of the lowest place at which `chunks` chunks are in no lane. Lanes are few, so this
// tries the place after each of them.
std::uint32_t find_place(std::uint32_t chunks) {
  std::uint32_t place = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const Lane& lane : g_lanes) {
      const auto begin = static_cast<std::uint32_t>(lane.first_granule / kChunkGranules);
      if (is_vacant(lane) || place + chunks <= begin || begin + lane.chunks <= place) continue;
      place = begin + lane.chunks;
      moved = true;
    }
  }
  return place;
}

std::uint64_t bytes_of_lane(const LoadedPlan& plan, LaneFor use) {
  return use == LaneFor::kWorkers ? plan.worker_bytes : plan.lane_bytes;
}

// Returns how many chunks of addresses a lane gets: with room above its slab, so that a larger plan may take it over
// with the pages that were touched. There is none where all lanes of the plan would take too much of the region.
std::uint32_t chunks_for(const LoadedPlan& plan, std::uint64_t bytes) {
  constexpr std::uint64_t kShareOfRegion = 4;  // a quarter, for one plan: others come, and larger ones
  const std::uint64_t least = slab_chunks(bytes);
  const std::uint64_t share = g_region.chunks / kShareOfRegion / plan.most_lanes;
  return static_cast<std::uint32_t>(std::max(least, std::min(share, slab_chunks(kMostTimesAsHigh * bytes))));
}

// Makes the lane, which no thread can claim yet, one of the plan. Its `next_of_name` is the caller's.
void assign(Lane& lane, LoadedPlan& plan) {
  lane.refused_until = 0;
  lane.crowded = lane.thinned = false;
  lane.places_taken = lane.asked_for_another = 0;
  lane.as_planned.begin_anew();
  lane.iterations_as_planned.begin_anew();
  lane.ran.store(true, std::memory_order_relaxed);
  lane.variant.store(&plan.variants[0], std::memory_order_relaxed);
  lane.plan.store(&plan, std::memory_order_relaxed);
  ++plan.lanes;
  if (lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers) ++plan.worker_lanes;
}

std::uint32_t* next_names(const LoadedPlan& plan) {
  return plan.next_of_name + std::uint64_t{plan.lanes} * plan.names_per_lane;
}

// Sets up one lane of the plan, without memory yet. Returns false if no lane or no address space is left.
bool add_lane(LoadedPlan& plan, LaneFor use) {
  const std::uint64_t bytes = bytes_of_lane(plan, use);
  const std::uint32_t chunks = chunks_for(plan, bytes);
  std::uint32_t number = 0;
  while (number < kMaxLanes && !is_vacant(g_lanes[number])) ++number;
  if (number == kMaxLanes) return false;
  const std::uint32_t place = find_place(chunks);
  if (std::uint64_t{place} + chunks > g_region.chunks) return false;
  for (std::uint32_t chunk = place; chunk < place + chunks; ++chunk) {
    g_region.lane_of_chunk[chunk].store(static_cast<std::uint8_t>(number), std::memory_order_relaxed);
  }
  Lane& lane = g_lanes[number];
  lane.first_granule = static_cast<std::uint32_t>(place * kChunkGranules);
  lane.chunks = chunks;
  lane.bytes = bytes;
  lane.use.store(use, std::memory_order_relaxed);
  lane.memory.store(LaneMemory::kNothing, std::memory_order_relaxed);
  lane.cold.store(false, std::memory_order_relaxed);
  lane.node.store(kNoNode, std::memory_order_relaxed);
  lane.next_of_name = next_names(plan);
  assign(lane, plan);
  const LaneWord held{lane.word.load(std::memory_order_relaxed)};
  lane.word.store(held.in(LaneState::kIdle).bits, std::memory_order_release);
  return true;
}

std::uint32_t most_worker_lanes(const PlanFile& file) {
  for (const PlanVariant& variant : file.variants()) {
    if (variant.pass_key == kWorkerPassKey) return kMostWorkerLanes;
  }
  return 0;
}

// Pass lanes and worker lanes have separate quotas.
bool has_room_for_lane(const LoadedPlan& plan, LaneFor use) {
  if (use == LaneFor::kWorkers) return plan.worker_bytes != 0 && plan.worker_lanes < kMostWorkerLanes;
  return plan.lanes - plan.worker_lanes < plan.most_lanes - most_worker_lanes(plan.file);
}

// Claims an idle lane of the plan for passes that no pass has had yet, with memory (kUnused) or without (kNone). Returns
// nullptr if there is none.
Lane* claim_unused_lane(const LoadedPlan& plan, LaneMemory memory) {
  const auto is_one = [memory](const Lane& lane) {
    return lane.memory.load(std::memory_order_relaxed) == memory &&
           lane.use.load(std::memory_order_relaxed) == LaneFor::kPasses;
  };
  for (Lane& lane : g_lanes) {
    if (!is_one(lane) || !claim_lane(lane, &plan, current_thread())) continue;
    if (is_one(lane)) return &lane;
    give_lane(lane);
  }
  return nullptr;
}

// Claims the unused lane that a lane of the smaller plan may take the place of: the one whose memory was only made sure
// of, if there is one. Where a number of lanes was asked for, all keep their memory.
Lane* claim_unused_lane(const LoadedPlan& plan) {
  Lane* lane = plan.lanes_asked == 0 ? claim_unused_lane(plan, LaneMemory::kUnused) : nullptr;
  return lane != nullptr ? lane : claim_unused_lane(plan, LaneMemory::kNothing);
}

template <typename Condition>
std::uint32_t count_pass_lanes(const LoadedPlan& plan, Condition fulfils) {
  const auto is_one = [&](const Lane& lane) {
    return lane.plan.load(std::memory_order_relaxed) == &plan &&
           lane.use.load(std::memory_order_relaxed) == LaneFor::kPasses && fulfils(lane);
  };
  return static_cast<std::uint32_t>(std::count_if(std::begin(g_lanes), std::end(g_lanes), is_one));
}

std::uint32_t lanes_with_memory(const LoadedPlan& plan) {
  return count_pass_lanes(plan, has_memory);
}

// Returns true if the larger plan has as many lanes with memory as the smaller one. A pass that begins while its lane is
// handed over takes another one: that lane would come on top.
bool has_inherited(const LoadedPlan& plan) {
  return lanes_with_memory(plan) >= plan.lanes_inherited;
}

// Takes an unused lane away from the plan, so that a lane with memory may take its place. Returns where the names of its
// pass lie; nullptr if the plan has no such lane.
std::uint32_t* drop_unused_lane(LoadedPlan& plan) {
  Lane* lane = claim_unused_lane(plan);
  if (lane == nullptr) return nullptr;
  if (has_memory(*lane)) give_memory_back(lane->first_granule, lane->bytes);
  vacate_lane(*lane);
  --plan.lanes;
  return lane->next_of_name;
}

// Makes an unused lane of the larger plan ready in place of one that the caller holds, in which blocks live. They stay where
// they are; the pages around them move, so that passes find those again that they touched before.
void move_pages_over(Lane& from, LoadedPlan& to) {
  const bool out_of_use = from.crowded && t_self.last_lane != &from;
  if (to.lanes_asked != 0 || out_of_use || !has_memory(from)) return;
  Lane* lane = claim_unused_lane(to);
  if (lane == nullptr) return;
  const bool backed = back_lane(*lane, Pages::kWhenTouched);
  if (backed) place_lane(*lane, from.node.load(std::memory_order_relaxed));
  const std::uint64_t moved = backed ? move_idle_chunks(from, *lane) : 0;
  if (moved == kLaneIsLost) return abandon_lane(*lane);
  if (moved != 0) keep_pages_few(from);
  if (t_self.last_lane == &from) t_self.last_lane = lane;
  give_lane(*lane);
}

// Hands a lane that the caller holds, and in which nothing lives, over to the larger plan: it becomes as high as that
// one, where it lies, and passes find the pages that they touched before. Returns false if it cannot: then it is still
// the smaller plan's, and the caller's to give.
bool hand_over(Lane& lane, LoadedPlan& from, LoadedPlan& to) {
  const LaneFor use = lane.use.load(std::memory_order_relaxed);
  const std::uint64_t bytes = bytes_of_lane(to, use);
  const Pages pages = to.lanes_asked != 0 ? Pages::kPresent : Pages::kWhenTouched;
  if (use != LaneFor::kPasses || lane.crowded || !has_memory(lane)) return false;
  if (!heighten_lane(lane, to, bytes, pages)) return false;
  std::uint32_t* names = drop_unused_lane(to);
  if (names == nullptr && has_room_for_lane(to, use)) names = next_names(to);
  if (names == nullptr) return false;
  --from.lanes;
  lane.next_of_name = names;
  assign(lane, to);
  give_lane(lane);
  return true;
}

// Gives back the memory and the addresses of an idle lane of a replaced plan, if no block lies in it any more; otherwise the
// memory around its blocks, since a JIT may keep them for long. Hands it over to `heir` instead, if there is one. Returns true
// if the plan has the lane no more.
bool retire_lane(Lane& lane, LoadedPlan* plan, LoadedPlan* heir) {
  if (!claim_lane(lane, plan, current_thread())) return false;
  if (!lane_empty(lane)) {
    if (heir != nullptr)
      move_pages_over(lane, *heir);
    else
      let_idle_pages_go_once(lane);
    give_lane(lane);
    return false;
  }
  if (heir == nullptr || !hand_over(lane, *plan, *heir)) {
    if (has_memory(lane)) give_memory_back(lane.first_granule, lane.bytes);
    vacate_lane(lane);
    --plan->lanes;
  }
  discard_if_unused(plan);
  return true;
}

// Returns the plan that a lane of this replaced plan goes over to; nullptr if it gives its memory back. Only the thread
// that ran on it needs it: the others have lanes by now, and what they touch twice would stay twice.
LoadedPlan* heir_of(const Lane& lane, const LoadedPlan& plan) {
  LoadedPlan* now = g_plan.load(std::memory_order_relaxed);
  const bool has_grown = now != nullptr && now->number == plan.number;
  const bool is_wanted = has_grown && t_self.last_lane == &lane && used_lanes(*now) < now->lanes_inherited;
  return is_wanted ? now : nullptr;
}

// Returns true if the plan neither serves nor is being prepared to serve.
bool is_replaced(const LoadedPlan* plan) {
  return plan != nullptr && plan->holders == 0 && plan != g_plan.load(std::memory_order_relaxed);
}

// Backs off while the number of old lanes stays the same: each look comes after twice the time. A block that a program keeps
// would otherwise cost every pass a search through the cells of its lane.
void pause_retirement(std::uint32_t left) {
  const bool has_changed = left != g_serving.retired_lanes.exchange(left, std::memory_order_relaxed);
  std::int64_t& pause = g_serving.retirement_pause;
  pause = kRetirementPauses.after(has_changed ? 0 : pause);
  g_serving.next_retirement.store(coarse_nanoseconds_now() + pause, std::memory_order_relaxed);
}

}  // namespace

std::uint32_t most_lanes(const PlanFile& file, std::uint32_t asked) {
  return (asked != 0 ? asked : kLanesOnDemand) + kSubstitutes + most_worker_lanes(file);
}

std::uint32_t used_lanes(const LoadedPlan& plan) {
  return count_pass_lanes(plan, was_used);
}

bool add_lanes(LoadedPlan& plan, std::uint32_t asked) {
  const std::uint32_t wanted = asked != 0 ? asked : kLanesOnDemand;
  while (plan.lanes < wanted && add_lane(plan, LaneFor::kPasses)) {
  }
  return plan.lanes != 0;
}

bool add_lane_if_room(LoadedPlan& plan, LaneFor use) {
  return has_room_for_lane(plan, use) && add_lane(plan, use);
}

void hand_over_lanes(LoadedPlan& from, LoadedPlan& to) {
  to.lanes_inherited = to.lanes_asked != 0 ? lanes_with_memory(from) : used_lanes(from);
  for (Lane& lane : g_lanes) {
    if (has_inherited(to)) return;
    if (!claim_lane(lane, &from, current_thread())) continue;
    if (!lane_empty(lane) || !hand_over(lane, from, to)) give_lane(lane);
  }
}

void move_pages_of_lanes(LoadedPlan& from, LoadedPlan& to) {
  for (Lane& lane : g_lanes) {
    if (has_inherited(to)) return;
    if (!claim_lane(lane, &from, current_thread())) continue;
    move_pages_over(lane, to);
    give_lane(lane);
  }
}

std::uint32_t back_lanes(const LoadedPlan& plan, std::uint32_t wanted, Pages pages) {
  std::uint32_t backed = lanes_with_memory(plan);  // those that were handed over
  for (Lane& lane : g_lanes) {
    if (backed >= wanted) break;
    if (has_memory(lane) || !claim_lane(lane, &plan, current_thread())) continue;
    if (back_lane(lane, pages)) ++backed;
    give_lane(lane);
  }
  return backed;
}

void take_back(LoadedPlan* plan) {
  plan->holders = 0;
  if (plan->lanes == 0) return discard(plan);
  for (Lane& lane : g_lanes) {
    if (lane.plan.load(std::memory_order_relaxed) == plan) retire_lane(lane, plan, nullptr);
  }
}

void discard_if_unused(LoadedPlan* plan) {
  if (plan->lanes == 0 && plan->holders == 0) discard(plan);
}

bool old_lanes_are_due() {
  if (g_serving.retired_lanes.load(std::memory_order_relaxed) == 0) return false;
  return t_looked_under != g_plan.load(std::memory_order_relaxed) ||
         coarse_nanoseconds_now() >= g_serving.next_retirement.load(std::memory_order_relaxed);
}

void retire_old_lanes() {
  std::uint32_t left = 0;
  for (Lane& lane : g_lanes) {
    LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
    if (is_replaced(plan) && !retire_lane(lane, plan, heir_of(lane, *plan))) ++left;
  }
  t_looked_under = g_plan.load(std::memory_order_relaxed);
  pause_retirement(left);
}

}  // namespace memo::runtime
