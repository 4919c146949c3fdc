#include "runtime/serving/look_ups.h"

#include <utility>

#include "runtime/plan/call_sites.h"
#include "runtime/platform/loader.h"
#include "runtime/serving/exchange.h"
#include "runtime/serving/lanes_of_plans.h"
#include "runtime/serving/plan_in_force.h"

namespace memo::runtime {

namespace {

// Returns the plan that serves, held for a look-up. Returns nullptr if none serves, or if another thread looks
// its sites up already: that thread then does it once more.
LoadedPlan* begin_look_up() {
  const Locked locked;
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  if (!locked.may_change()) return nullptr;
  if (plan == nullptr || plan->sites_looked_up) {
    if (plan != nullptr) plan->look_up_again = true;
    return nullptr;
  }
  plan->sites_looked_up = true;
  ++plan->holders;
  return plan;
}

// Ends a look-up. Returns false if something was loaded meanwhile and the caller shall look again.
bool end_look_up(LoadedPlan* plan, std::uint64_t changes) {
  const Locked locked;
  if (!locked.may_change()) return true;
  const bool again = std::exchange(plan->look_up_again, false);
  if (plan == g_plan.load(std::memory_order_relaxed)) {
    use_sites(*plan, changes);
    if (again) return false;
  }
  plan->sites_looked_up = false;
  --plan->holders;
  discard_if_unused(plan);
  return true;
}

}  // namespace

bool modules_are_missing() {
  return g_serving.modules_missing.load(std::memory_order_relaxed);
}

void modules_changed() {
  std::uint64_t changes = loader_changes().count();
  if (changes == g_serving.loader_changes.load(std::memory_order_relaxed)) return;
  LoadedPlan* plan = begin_look_up();
  if (plan == nullptr) return;
  for (resolve_sites(*plan); !end_look_up(plan, changes); resolve_sites(*plan))
    changes = loader_changes().count();
}

void forget_look_ups() {
  g_serving.growing = false;
  for (const Lane& lane : g_lanes) {
    LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
    if (plan == nullptr || plan->holders == 0) continue;
    plan->holders = 0;
    plan->sites_looked_up = plan->look_up_again = false;
    g_serving.loader_changes.store(0, std::memory_order_relaxed);
  }
  // Both make look_after_plans() look for them at once.
  g_serving.retired_lanes.store(1, std::memory_order_relaxed);
  g_serving.next_retirement.store(0, std::memory_order_relaxed);
}

}  // namespace memo::runtime
