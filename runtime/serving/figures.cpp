#include "runtime/serving/figures.h"

#include <cstring>

#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/plan_lock.h"

namespace memo::runtime {

namespace {

// Counts a lane that changes meanwhile as it was or as it is. To be called under the lock.
void add_lane(const Lane& lane, LiveGauges* gauges) {
  const bool for_workers = lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers;
  ++(for_workers ? gauges->worker_lanes : gauges->lanes);
  if (!for_workers && was_used(lane)) ++gauges->lanes_used;
  gauges->slab_bytes += lane.bytes;
}

void look_under_lock(LiveGauges* gauges) {
  *gauges = {};
  gauges->plan_hash = g_serving.plan_hash;
  gauges->warm_up = g_serving.warm_up.load(std::memory_order_relaxed);
  std::memcpy(gauges->plan, g_serving.serving, sizeof gauges->plan);
  for (const Lane& lane : g_lanes)
    if (has_pages(lane)) add_lane(lane, gauges);
}

std::uint64_t pinned_in(const Lane& lane) {
  const LaneWord word{lane.word.load(std::memory_order_relaxed)};
  return word.state() == LaneState::kIdle ? live_blocks(lane) : 0;
}

}  // namespace

void look_at_serving(LiveGauges* gauges) {
  const Locked locked;
  look_under_lock(gauges);
  for (const Lane& lane : g_lanes)
    if (is_backed(lane)) gauges->pinned += pinned_in(lane);
}

bool look_at_serving_without_waiting(LiveGauges* gauges) {
  const TriedLock locked;
  if (!locked.got()) return false;
  look_under_lock(gauges);
  return true;
}

std::uint64_t passes_of_warm_up() {
  return g_serving.warm_up.load(std::memory_order_relaxed);
}

bool is_past_warm_up(std::uint64_t pass_number) {
  return g_plan.load(std::memory_order_relaxed) != nullptr && pass_number > passes_of_warm_up();
}

}  // namespace memo::runtime
