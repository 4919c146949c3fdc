// Which plan serves: loading one, replacing it between two passes, giving back the memory of the one before.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/slab/lane.h"

namespace memo::runtime {

// Passes that can be served at once. 0: as many as run at once, each lane getting its memory when it is first
// used; otherwise that many, all present when the plan is loaded. Counts for plans loaded from then on.
void set_lanes(std::uint32_t count);

// Serves from this plan from each thread's next pass on. False: it cannot be used, one line was said, and what
// served before goes on.
bool serve_plan(const char* path);

// Serves from whatever plan lies at `path`, now or later, and takes up a new one when the file is replaced.
enum class Absent { kSay, kExpected };
void watch_plan(const char* path, Absent absent = Absent::kSay);

// To be called between passes: takes up a changed file, lets the plan grow, gives back what replaced plans held. Costs a
// clock reading, and a stat twice a second.
void look_after_plans();

// A pass on a lane of this plan wanted a variant of it to be so large. The next look_after_plans() makes the plan ready for
// that, if it is still the one in force.
void want_growth(LoadedPlan& plan, const Variant& variant, const WantedGrowth& wanted);

// After dlopen and dlclose: finds the call sites again. Costs a look at the loader's counters where nothing has
// changed.
void modules_changed();

// The hook makes the heap give back what lies idle in it, and returns how many bytes that were. A pass with a slab of so many
// bytes tells what it has from the heap, and what it had when it ends (runtime/slab/heap_purge_policy.h says what follows).
void set_idle_heap_hook(std::uint64_t (*hook)());
void heap_provides(std::uint64_t bytes, std::uint64_t lane_bytes);
void heap_has_provided(std::uint64_t bytes, std::uint64_t lane_bytes);

// Another lane of the plan that serves, without memory yet. False: there have been enough of its kind, or somebody else is
// at it.
[[nodiscard]] bool add_lane_on_demand(LaneFor use);

// Another lane of the same plan, for one whose cells are held by blocks that outlived their passes; that one is used again
// when it is empty. False: there have been enough of them.
[[nodiscard]] bool substitute_lane(const Lane& worn);

// Around fork(): the plans are not in the middle of a change in the child. What else is due there: runtime/serving/copies.h.
void before_fork();
void after_fork_in_parent();
void let_go_after_fork();

// In a copy of the process: nobody looks up sites here, and what others had begun to look up is to be done again.
void forget_look_ups();

// How the lanes stand, and the plan that serves ("" for none).
struct ServingFigures {
  std::uint64_t lanes;         // with memory, for passes
  std::uint64_t used;          // of these, that have run one
  std::uint64_t worker_lanes;  // with memory, for workers
  std::uint64_t pinned;        // blocks in lanes on which no pass runs: they outlived theirs
  std::uint64_t slab_bytes;
  char plan[512];
};
void look_at_serving(ServingFigures* figures);

extern std::atomic<LoadedPlan*> g_plan;  // what new passes use; nullptr: none

}  // namespace memo::runtime
