#include "runtime/serving/growing.h"

#include <algorithm>
#include <cstring>

#include "runtime/plan/growth.h"
#include "runtime/plan/longer_lists.h"
#include "runtime/platform/helper_thread.h"
#include "runtime/platform/identity.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/exchange.h"
#include "runtime/serving/lanes_of_plans.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

namespace {

constexpr std::uint64_t kMostTimesForeseen = 2;  // as high as what passes asked for

// A plan that is laid out anew: held, so that it stays.
struct Growth {
  LoadedPlan* before;
  std::uint64_t changes;  // the loader's count when its sites were looked up
  bool sites_are_known;
  std::uint32_t lanes;  // that passes used of it
  char path[sizeof g_serving.serving];
};

// Returns true if the plan that serves shall grow, and no other thread sees to it. A wish that comes meanwhile is dropped:
// the passes that have it ask again. Leaves it alone while another thread changes plans.
bool begin(Growth* growth) {
  const TriedLock tried;
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  if (!tried.may_change()) return false;
  g_serving.growth_wanted.store(false, std::memory_order_relaxed);
  if (plan == nullptr || g_serving.growing || !has_wishes(*plan)) return false;
  g_serving.growing = true;
  ++plan->holders;
  growth->before = plan;
  growth->changes = g_serving.loader_changes.load(std::memory_order_relaxed);
  growth->sites_are_known = !plan->sites_looked_up;
  growth->lanes = used_lanes(*plan);
  std::memcpy(growth->path, g_serving.serving, sizeof growth->path);
  return true;
}

// Returns the plan with room for the largest batch and the largest length together, say; nullptr if it has no formulas, has
// the room, or cannot have it. Where a number of lanes was asked for, all of each gets its pages: nothing that no pass asked
// for is foreseen then.
LoadedPlan* lay_out_foreseen(const Growth& growth, const LoadedPlan& seen) {
  PlanFile file;
  if (seen.file.formulas().empty() || seen.lanes_asked != 0 || !copy_plan(seen.file, &file)) return nullptr;
  if (!foresee_slots(*growth.before, file)) return close_plan(file), nullptr;
  return try_tables(file, growth.before);
}

// Returns true if what is foreseen is worth its addresses. They cost no memory until a pass touches them, but they count
// as if they did wherever memory is limited. A batch and a length that are the largest each for itself may never meet, as
// where a server bounds their product: then the corner would be many times as high as anything that comes.
bool is_worth_it(const Growth& growth, const LoadedPlan& seen, const LoadedPlan& foreseen) {
  return foreseen.lane_bytes <= kMostTimesForeseen * seen.lane_bytes &&
         has_memory_for(std::max<std::uint64_t>(growth.lanes, 1) * foreseen.lane_bytes);
}

LoadedPlan* or_foreseen(const Growth& growth, LoadedPlan* seen) {
  LoadedPlan* foreseen = lay_out_foreseen(growth, *seen);
  if (foreseen == nullptr) return seen;
  const bool worth_it = is_worth_it(growth, *seen, *foreseen);
  discard(worth_it ? seen : foreseen);
  return worth_it ? foreseen : seen;
}

// Makes the tables of the larger plan from a copy of the bytes in memory: the file may be gone by now, or be another
// plan. Returns nullptr, after saying why, if it cannot grow.
LoadedPlan* lay_out_anew(const Growth& growth) {
  LoadedPlan& before = *growth.before;
  PlanFile file;
  LoadedPlan* plan = nullptr;
  if (copy_with_longer_lists(before, &file)) {
    enlarge_slots(before, file);
    plan = make_tables(growth.path, file, &before);
  }
  if (plan == nullptr) return deny_wishes(before), nullptr;
  plan = or_foreseen(growth, plan);
  plan->number = before.number;
  if (growth.sites_are_known) copy_sites(*plan, before);
  return plan;
}

const Variant& highest_variant(const LoadedPlan& plan) {
  return *std::max_element(plan.variants.begin(), plan.variants.end(),
                           [](const Variant& a, const Variant& b) { return a.height < b.height; });
}

void say_growth(const Growth& growth, const LoadedPlan& plan) {
  add(statistics().plans_grown, 1);
  const Variant& highest = highest_variant(plan);
  const std::uint64_t above = highest.height - std::min(highest.least, highest.height);
  const std::uint64_t thousandths = above * 1000 / std::max<std::uint64_t>(highest.least, 1);
  note(
      "the plan %s grew from %llu to %llu bytes a lane, %llu.%llu %% above the most that lives at once, for a shape beyond its "
      "profile",
      growth.path, static_cast<unsigned long long>(growth.before->lane_bytes),
      static_cast<unsigned long long>(plan.lane_bytes), static_cast<unsigned long long>(thousandths / 10),
      static_cast<unsigned long long>(thousandths % 10));
}

// Returns true if the sites of the plan that grew are as they were when the larger plan took them over.
bool sites_are_current(const Growth& growth) {
  return growth.sites_are_known && !growth.before->sites_looked_up &&
         growth.changes == g_serving.loader_changes.load(std::memory_order_relaxed);
}

void replace(const Growth& growth, LoadedPlan* plan) {
  if (g_plan.load(std::memory_order_relaxed) != growth.before) return discard(plan);
  if (!give_lanes(plan, growth.path, growth.before)) return deny_wishes(*growth.before);
  say_growth(growth, *plan);
  publish(plan, growth.changes);
}

// Lets the larger plan serve, unless another file replaced the smaller one meanwhile, and lets go of the smaller one.
// Returns false, and does nothing, if its sites are to be looked up first.
bool put_in_place(const Growth& growth, LoadedPlan* plan, bool looked_up) {
  const Locked locked;
  if (!locked.may_change()) return true;
  if (plan != nullptr && !looked_up && !sites_are_current(growth)) return false;
  if (plan != nullptr) replace(growth, plan);
  g_serving.growing = false;
  --growth.before->holders;
  discard_if_unused(growth.before);
  retire_old_lanes();
  return true;
}

void finish(Growth growth) {
  LoadedPlan* plan = lay_out_anew(growth);
  if (put_in_place(growth, plan, false)) return;
  growth.changes = loader_changes().count();
  resolve_sites(*plan);
  put_in_place(growth, plan, true);
}

// Keeps the calling thread's next allocations on the heap: starting a thread allocates, and a call site that opens passes
// may be among those of the C library.
class NoPassOpens {
 public:
  NoPassOpens() : cursor_(t_self.cursor) { place_cursor(t_self, &kReentered); }
  ~NoPassOpens() { place_cursor(t_self, cursor_); }
  NoPassOpens(const NoPassOpens&) = delete;
  NoPassOpens& operator=(const NoPassOpens&) = delete;

 private:
  const HotSlot* const cursor_;
};

// The growth that a helper is to finish; no other begins before it has.
constinit Growth g_beside{};

// Returns false if no thread could be started. A task that shares the memory of another process starts none: it would end
// with the task, and leave the other process a plan that is never finished.
bool start_beside(const Growth& growth) {
  if (!runs_in_own_process() || !may_start_threads()) return false;
  g_beside = growth;
  const NoPassOpens none;
  return start_helper([] { on_spare_stack([] { finish(g_beside); }); });
}

}  // namespace

void let_growths_run_beside() {
  g_serving.grows_beside.store(true, std::memory_order_relaxed);
}

void grow_if_wanted() {
  Growth growth;
  if (!begin(&growth)) return;
  if (g_serving.grows_beside.load(std::memory_order_relaxed) && start_beside(growth)) return;
  finish(growth);
}

void want_growth(LoadedPlan& plan, const Variant& variant, const Wishes& wishes) {
  Variant& grows = plan.variants[static_cast<std::size_t>(&variant - plan.variants.data())];
  if (wishes.pass_on(plan, grows)) g_serving.growth_wanted.store(true, std::memory_order_relaxed);
}

}  // namespace memo::runtime
