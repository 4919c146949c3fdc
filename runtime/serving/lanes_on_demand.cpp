#include "runtime/serving/lanes_on_demand.h"

#include "runtime/serving/lanes_of_plans.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/plan_lock.h"

namespace memo::runtime {

namespace {

bool try_to_add_lane(LaneFor use) {
  const TriedLock tried;
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  return tried.may_change() && plan != nullptr && add_lane_if_room(*plan, use);
}

}  // namespace

bool add_lane_on_demand(LaneFor use) {
  return try_to_add_lane(use);
}

bool substitute_lane(const Lane& worn) {
  const bool serves = worn.plan.load(std::memory_order_relaxed) == g_plan.load(std::memory_order_relaxed);
  return serves && try_to_add_lane(worn.use.load(std::memory_order_relaxed));
}

}  // namespace memo::runtime
