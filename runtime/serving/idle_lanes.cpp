#include "runtime/serving/idle_lanes.h"

#include <algorithm>

#include "runtime/platform/spare_stack.h"
#include "runtime/serving/idle_heap.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/plan_lock.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/lane_release_policy.h"
#include "runtime/slab/running_passes.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

namespace {

constinit LaneReleasePolicy g_policy{};
constinit bool g_any_ran = false;  // a pass, within the wait before the last look; under the lock

bool is_busy(const Lane& lane) {
  return LaneWord{lane.word.load(std::memory_order_relaxed)}.state() == LaneState::kBusy;
}

// Returns true if the library may give back the lane's pages without being told to: a user who asks for a number of lanes wants
// them to have their pages.
bool may_become_cold(const Lane& lane) {
  return has_pages(lane) && lane.plan.load(std::memory_order_relaxed)->lanes_asked == 0;
}

bool is_for_passes_to_come(const Lane& lane) {
  return lane.plan.load(std::memory_order_relaxed) == g_plan.load(std::memory_order_relaxed) &&
         lane.use.load(std::memory_order_relaxed) == LaneFor::kPasses;
}

// Notes the lanes that ran since the look before, and those on which a pass runs now.
void note_runs() {
  for (Lane& lane : g_lanes) {
    const bool ran = lane.ran.load(std::memory_order_relaxed);
    if (ran) lane.ran.store(false, std::memory_order_relaxed);
    if (ran || is_busy(lane)) lane.ran_in = g_policy.part();
  }
}

// Returns how many bytes of memory the lane gave back; 0 for a lane on which a pass runs.
std::uint64_t make_cold(Lane& lane) {
  const LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
  if (plan == nullptr || !claim_lane(lane, plan, current_thread())) return 0;
  const std::uint64_t bytes = let_idle_pages_go(lane);
  lane.cold.store(true, std::memory_order_relaxed);
  give_lane(lane);
  return bytes;
}

std::uint64_t make_idle_lanes_cold() {
  std::uint64_t bytes = 0;
  for (Lane& lane : g_lanes)
    if (may_become_cold(lane) && g_policy.is_over(lane.ran_in)) bytes += make_cold(lane);
  return bytes;
}

// Returns the idle lane for passes that ran longest ago; nullptr if there is none. Leaves out the calling thread's own.
Lane* find_longest_idle() {
  Lane* found = nullptr;
  for (Lane& lane : g_lanes) {
    if (!may_become_cold(lane) || !is_for_passes_to_come(lane) || is_busy(lane) || &lane == t_self.last_lane)
      continue;
    if (found == nullptr || g_policy.part() - lane.ran_in > g_policy.part() - found->ran_in) found = &lane;
  }
  return found;
}

// Threads that take turns would keep the lanes of a burst in use, each its own, although fewer of them run at once. A pass
// whose own lane is cold takes another one.
std::uint64_t make_surplus_lanes_cold() {
  std::uint64_t bytes = 0;
  std::uint32_t surplus = 0;
  for (const Lane& lane : g_lanes) surplus += may_become_cold(lane) && is_for_passes_to_come(lane) ? 1U : 0U;
  const std::uint32_t needed = std::max(g_policy.most_at_once(), 1U);
  for (; surplus > needed; --surplus) {
    Lane* lane = find_longest_idle();
    if (lane == nullptr) break;
    bytes += make_cold(*lane);
  }
  return bytes;
}

struct Look {
  std::uint64_t slab_bytes;  // that went
  bool passes_are_over;      // none has run for the wait, for the first time since one ran
};

// Does nothing while another thread changes the plans: the next look sees what this one would have seen.
Look look_at_lanes() {
  const TriedLock tried;
  if (!tried.may_change()) return {};
  g_policy.note_passes(g_running_passes.take_most());
  note_runs();
  const std::uint64_t bytes = make_idle_lanes_cold() + make_surplus_lanes_cold();
  const bool any_ran = g_policy.most_at_once() != 0;
  const bool passes_are_over = g_any_ran && !any_ran;
  g_any_ran = any_ran;
  return {.slab_bytes = bytes, .passes_are_over = passes_are_over};
}

void release_and_count() {
  const Look look = look_at_lanes();
  const std::uint64_t heap_bytes = look.passes_are_over ? give_back_idle_heap() : 0;
  count_release(look.slab_bytes, heap_bytes);
}

std::uint64_t make_all_lanes_cold() {
  const Locked locked;
  if (!locked.may_change()) return 0;
  std::uint64_t bytes = 0;
  for (Lane& lane : g_lanes)
    if (has_pages(lane)) bytes += make_cold(lane);
  return bytes;
}

}  // namespace

void set_idle_release(std::int64_t nanoseconds) {
  g_policy.set_wait(nanoseconds);
}

void release_what_is_idle(std::int64_t now) {
  if (g_policy.is_due(now)) on_spare_stack(release_and_count);
}

std::uint64_t release_memory() {
  return on_spare_stack([] {
    const std::uint64_t slab_bytes = make_all_lanes_cold();
    const std::uint64_t heap_bytes = give_back_idle_heap();
    count_release(slab_bytes, heap_bytes);
    return slab_bytes + heap_bytes;
  });
}

}  // namespace memo::runtime
