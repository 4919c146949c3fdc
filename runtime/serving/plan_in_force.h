// The plan in force, and how the program puts one in force itself. Others come when a file is replaced (plan_watch.h), or when
// the plan grows (growing.h); exchange.h says how one takes the place of another.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

extern std::atomic<LoadedPlan*> g_plan;  // the plan for new passes; nullptr: none

// Sets how many passes can be served at once. 0: as many as run at once; each lane gets its memory when a pass
// first uses it. Otherwise that many; all have their memory when the plan is loaded. Counts for plans loaded
// from then on.
void set_lanes(std::uint32_t count);

// Serves from this plan, from each thread's next pass on. Returns false if the plan cannot be used: then the
// library says why in one line, and goes on serving as before.
bool serve_plan(const char* path);

}  // namespace memo::runtime
