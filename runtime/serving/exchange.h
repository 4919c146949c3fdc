// Putting a plan in force: prepared under the lock of the plans, its sites looked up without it, published under it
// again. For the files of this folder alone.
#pragma once

#include "runtime/serving/plan_lock.h"

namespace memo::runtime {

// A plan that is about to serve.
struct FreshPlan {
  LoadedPlan* plan = nullptr;    // nullptr: there is nothing to do
  LoadedPlan* before = nullptr;  // the plan that it grew from, if any
  char path[sizeof g_serving.serving] = "";
};

// Prepares the plan in this file. Under the lock. Where it cannot be used, says why.
[[nodiscard]] FreshPlan prepare_file(const char* path);

// Prepares a larger plan in place of the one that serves, if its passes wanted one. Under the lock.
[[nodiscard]] FreshPlan prepare_growth();

// Returns a plan with lanes of its own, held by the caller, whose sites are still to be looked up; nullptr, after saying
// why, if it cannot be used. `before` is the same plan as it serves now, if it is to grow. Under the lock.
[[nodiscard]] LoadedPlan* prepare(const char* path, const PlanFile& file, const LoadedPlan* before);

// Looks up the plan's sites and lets it serve, unless another thread was quicker. Without the lock.
void put_in_force(const FreshPlan& fresh);

// Takes over the sites that were looked up when the loader's count was `changes`. Under the lock.
void use_sites(const LoadedPlan& plan, std::uint64_t changes);

// Says that the plan at `path` is not used, and why. Returns false.
bool refuse(const char* path, const char* why);

}  // namespace memo::runtime
