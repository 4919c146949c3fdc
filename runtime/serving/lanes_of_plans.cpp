#include "runtime/serving/lanes_of_plans.h"

#include "runtime/plan/worker_sites.h"
#include "runtime/serving/plan_lock.h"
#include "runtime/serving/serving.h"

namespace memo::runtime {

namespace {

constexpr std::uint32_t kLanesOnDemand = 64;
constexpr std::uint32_t kSubstitutes = 8;  // lanes that may replace useless ones

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

// Sets up one lane of the plan, without memory yet. Returns false if no lane or no address space is left.
bool add_lane(LoadedPlan& plan, LaneFor use, bool in_place_of_another) {
  const bool for_workers = use == LaneFor::kWorkers;
  const std::uint64_t bytes = for_workers ? plan.worker_bytes : plan.lane_bytes;
  const auto chunks = static_cast<std::uint32_t>(slab_chunks(bytes));
  std::uint32_t number = 0;
  while (number < kMaxLanes && !is_vacant(g_lanes[number])) ++number;
  if (number == kMaxLanes) return false;
  const std::uint32_t place = find_place(chunks);
  if (!use_chunks(std::uint64_t{place} + chunks)) return false;
  for (std::uint32_t chunk = place; chunk < place + chunks; ++chunk) {
    g_region.lane_of_chunk[chunk].store(static_cast<std::uint8_t>(number), std::memory_order_relaxed);
  }
  Lane& lane = g_lanes[number];
  lane.first_granule = static_cast<std::uint32_t>(place * kChunkGranules);
  lane.chunks = chunks;
  lane.bytes = bytes;
  lane.use.store(use, std::memory_order_relaxed);
  lane.backed.store(false, std::memory_order_relaxed);
  lane.used.store(false, std::memory_order_relaxed);
  lane.refused = lane.set_aside = false;
  lane.in_place_of_another = in_place_of_another || plan.has_grown;
  lane.places_taken = lane.asked_for_another = 0;
  lane.next_of_name = plan.next_of_name + std::uint64_t{plan.lanes} * plan.names_per_lane;
  lane.variant.store(&plan.variants[0], std::memory_order_relaxed);
  lane.plan.store(&plan, std::memory_order_relaxed);
  ++plan.lanes;
  plan.worker_lanes += for_workers ? 1 : 0;
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

// Gives back the memory and the addresses of an idle lane of a replaced plan, if no block lies in it any more.
// Returns true if it did.
bool retire_lane(Lane& lane, LoadedPlan* plan) {
  if (!claim_lane(lane, plan, current_thread())) return false;
  if (!lane_empty(lane)) {
    give_lane(lane);
    return false;
  }
  if (lane.backed.load(std::memory_order_relaxed)) give_memory_back(lane.first_granule, lane.bytes);
  vacate_lane(lane);
  --plan->lanes;
  discard_if_unused(plan);
  return true;
}

// Returns true if the plan neither serves nor is being prepared to serve.
bool is_replaced(const LoadedPlan* plan) {
  return plan != nullptr && plan->holders == 0 && plan != g_plan.load(std::memory_order_relaxed);
}

bool add_lane_if_room(LaneFor use, bool in_place_of_another) {
  const TriedLock tried;
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  return tried.may_change() && plan != nullptr && has_room_for_lane(*plan, use) &&
         add_lane(*plan, use, in_place_of_another);
}

}  // namespace

std::uint32_t most_lanes(const PlanFile& file, std::uint32_t asked) {
  return (asked != 0 ? asked : kLanesOnDemand) + kSubstitutes + most_worker_lanes(file);
}

bool add_lanes(LoadedPlan& plan, std::uint32_t asked) {
  const std::uint32_t wanted = asked != 0 ? asked : kLanesOnDemand;
  std::uint32_t added = 0;
  while (added < wanted && add_lane(plan, LaneFor::kPasses, false)) ++added;
  return added != 0;
}

std::uint32_t back_lanes(const LoadedPlan& plan, std::uint32_t wanted, Pages pages) {
  std::uint32_t backed = 0;
  for (Lane& lane : g_lanes) {
    if (backed == wanted) break;
    if (!claim_lane(lane, &plan, current_thread())) continue;
    if (back_lane(lane, pages)) ++backed;
    give_lane(lane);
  }
  return backed;
}

void take_back(LoadedPlan* plan) {
  plan->holders = 0;
  if (plan->lanes == 0) return discard(plan);
  for (Lane& lane : g_lanes) {
    if (lane.plan.load(std::memory_order_relaxed) == plan) retire_lane(lane, plan);
  }
}

void discard_if_unused(LoadedPlan* plan) {
  if (plan->lanes == 0 && plan->holders == 0) discard(plan);
}

void retire_old_lanes() {
  std::uint32_t left = 0;
  for (Lane& lane : g_lanes) {
    LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
    if (is_replaced(plan) && !retire_lane(lane, plan)) ++left;
  }
  g_serving.retired_lanes.store(left, std::memory_order_relaxed);
}

bool add_lane_on_demand(LaneFor use) {
  return add_lane_if_room(use, false);
}

bool substitute_lane(const Lane& worn) {
  const bool serves = worn.plan.load(std::memory_order_relaxed) == g_plan.load(std::memory_order_relaxed);
  return serves && add_lane_if_room(worn.use.load(std::memory_order_relaxed), true);
}

}  // namespace memo::runtime
