// Collects the figures of the lanes and of the plan that serves.
#include <cstring>

#include "runtime/serving/plan_lock.h"
#include "runtime/serving/serving.h"

namespace memo::runtime {

namespace {

// Counts a lane that changes meanwhile as it was or as it is. To be called under the lock.
void add_lane(const Lane& lane, ServingFigures* figures) {
  figures->slab_bytes += lane.bytes;
  if (is_peak_region(lane)) {
    ++figures->peak_regions;
    figures->peak_bytes += lane.bytes;
    return;
  }
  const bool for_workers = lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers;
  ++(for_workers ? figures->worker_lanes : figures->lanes);
  if (!for_workers && lane.used.load(std::memory_order_relaxed)) ++figures->used;
}

bool is_backed(const Lane& lane) {
  return lane.plan.load(std::memory_order_relaxed) != nullptr && lane.backed.load(std::memory_order_relaxed);
}

// Returns false also for a lane that gave its pages back, but for those of blocks that live in it.
bool has_pages(const Lane& lane) {
  return is_backed(lane) && !lane.cold.load(std::memory_order_relaxed);
}

void look_under_lock(ServingFigures* figures) {
  *figures = {};
  figures->plan_hash = g_serving.plan_hash;
  figures->warm_up = g_serving.warm_up.load(std::memory_order_relaxed);
  std::memcpy(figures->plan, g_serving.serving, sizeof figures->plan);
  for (const Lane& lane : g_lanes)
    if (has_pages(lane)) add_lane(lane, figures);
}

std::uint64_t pinned_in(const Lane& lane) {
  const LaneWord word{lane.word.load(std::memory_order_relaxed)};
  return word.state() == LaneState::kIdle ? live_blocks(lane) : 0;
}

}  // namespace

void look_at_serving(ServingFigures* figures) {
  const Locked locked;
  look_under_lock(figures);
  for (const Lane& lane : g_lanes)
    if (is_backed(lane)) figures->pinned += pinned_in(lane);
}

bool look_at_serving_without_waiting(ServingFigures* figures) {
  const TriedLock locked;
  if (!locked.got()) return false;
  look_under_lock(figures);
  return true;
}

std::uint64_t passes_of_warm_up() {
  return g_serving.warm_up.load(std::memory_order_relaxed);
}

bool is_past_warm_up(std::uint64_t pass_number) {
  return g_plan.load(std::memory_order_relaxed) != nullptr && pass_number > passes_of_warm_up();
}

}  // namespace memo::runtime
