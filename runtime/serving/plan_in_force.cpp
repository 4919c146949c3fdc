#include "runtime/serving/plan_in_force.h"

#include "runtime/platform/spare_stack.h"
#include "runtime/serving/exchange.h"

namespace memo::runtime {

constinit std::atomic<LoadedPlan*> g_plan{nullptr};

namespace {

FreshPlan prepare_under_lock(const char* path) {
  const Locked locked;
  if (locked.may_change()) return prepare_file(path);
  refuse(path, "this process is a copy, made while another thread changed plans");
  return {};
}

}  // namespace

void set_lanes(std::uint32_t count) {
  g_serving.lanes.store(count < kMaxLanes / 2 ? count : kMaxLanes / 2, std::memory_order_relaxed);
}

bool serve_plan(const char* path) {
  return on_spare_stack([path] {
    const FreshPlan fresh = prepare_under_lock(path);
    put_in_force(fresh);
    return fresh.plan != nullptr;
  });
}

}  // namespace memo::runtime
