// Putting a plan in force: prepared under the lock of the plans, its sites looked up without it, published under it
// again. For the files of this folder alone.
#pragma once

#include "runtime/serving/plan_lock.h"

namespace memo::runtime {

// A plan that is about to serve.
struct FreshPlan {
  LoadedPlan* plan = nullptr;  // nullptr: there is nothing to do
  char path[sizeof g_serving.serving] = "";
};

// Prepares the plan in this file. Under the lock. Where it cannot be used, says why.
[[nodiscard]] FreshPlan prepare_file(const char* path);

// Returns a plan held by the caller, without lanes, whose sites are still to be looked up; nullptr, after saying why, if
// there is none. `before` is the same plan as it serves now, if it is to grow.
[[nodiscard]] LoadedPlan* make_tables(const char* path, const PlanFile& file, const LoadedPlan* before);

// Does the same, and says nothing.
[[nodiscard]] LoadedPlan* try_tables(const PlanFile& file, const LoadedPlan* before);

// Gives the plan its lanes: those of `before`, if it is the same plan grown, and others. Returns false, after discarding
// it and saying why, if there is no room. Under the lock.
[[nodiscard]] bool give_lanes(LoadedPlan* plan, const char* path, LoadedPlan* before);

// Looks up the plan's sites and lets it serve, unless another thread was quicker. Without the lock.
void put_in_force(const FreshPlan& fresh);

// Lets a plan serve whose sites were looked up when the loader's count was `changes`. Under the lock.
void publish(LoadedPlan* plan, std::uint64_t changes);

// Takes over the sites that were looked up when the loader's count was `changes`. Under the lock.
void use_sites(const LoadedPlan& plan, std::uint64_t changes);

// Says that the plan at `path` is not used, and why. Returns false.
bool refuse(const char* path, const char* why);

}  // namespace memo::runtime
