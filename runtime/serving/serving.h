// Decides which plan serves: loads a plan, replaces it between two passes, gives back the memory of the one
// before.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/slab/lane.h"

namespace memo::runtime {

// Sets how many passes can be served at once. 0: as many as run at once; each lane gets its memory when a pass
// first uses it. Otherwise that many; all have their memory when the plan is loaded. Counts for plans loaded
// from then on.
void set_lanes(std::uint32_t count);

// Serves from this plan, from each thread's next pass on. Returns false if the plan cannot be used: then the
// library says why in one line, and goes on serving as before.
bool serve_plan(const char* path);

// Serves from the plan at `path`, which may appear later, and takes up a new one whenever the file is replaced.
enum class Absent { kSay, kExpected };
void watch_plan(const char* path, Absent absent = Absent::kSay);

// Takes up a changed file, lets the plan grow, gives back what replaced plans held. To be called between
// passes. Costs a clock reading, and a stat twice a second.
void look_after_plans();

// Notes that a pass on a lane of this plan wanted a variant to be larger: a greater t, larger slots without a
// parameter, or longer lists. The next look_after_plans() prepares the plan again for that, if it is still in force.
void want_growth(LoadedPlan& plan, const Variant& variant, const Progress& progress);

// Lets plans grow on a short-lived thread of the library from now on, so that no pass waits for it, where the program has
// threads of its own (runtime/platform/helper_thread.h). Otherwise the thread that begins the next pass does it.
void let_growths_run_beside();

// Looks up the call sites again, after dlopen and dlclose. Costs a look at the loader's counters where nothing
// has changed.
void modules_changed();

// Returns true if a binary of the plan in force was not loaded when its call sites were looked up. Asks no plan, since
// only a claimed lane keeps one from being discarded.
[[nodiscard]] bool modules_are_missing();

// Sets the hook that makes the heap give back its idle memory and returns how many bytes it gave back. A pass
// on a lane of `lane_bytes` that ends calls heap_has_provided() with what it took from the heap. That returns how many of these bytes
// the pass touched anew, since the heap had given them back.
// runtime/slab/heap_purge_policy.h says what follows.
void set_idle_heap_hook(std::uint64_t (*hook)());
[[nodiscard]] std::uint64_t heap_has_provided(std::uint64_t bytes, std::uint64_t lane_bytes);

// Lets the heap give back idle memory, in a warm-up, before it provides a block that is a large part of a pass. Not for a thread that is
// inside the arena or the heap.
void make_room_in_heap();

// Likewise lets the lane of a pass, which the calling thread holds, give back the pages that hold no live block: the heap provides
// such a block beside them. The lane goes on to take huge pages. Not where lanes were asked for with all their pages.
void make_room_in_lane(const Lane& lane);

// Likewise before a pass, if the passes before it have used the heap: the caller may have freed an answer of theirs since.
void make_room_for_pass();

// Makes the heap give back its idle memory, so that there may be room for a lane. Returns false if it had none, or was
// asked less than a second ago.
[[nodiscard]] bool make_room_for_lane();

// Makes the heap give back its idle memory now. Returns how many bytes that were.
std::uint64_t give_back_idle_heap();

// Returns true if a pass took much from the heap within so many nanoseconds.
[[nodiscard]] bool heap_was_wanted_within(std::int64_t nanoseconds);

// Sets the longest time, in nanoseconds, for which memory lies idle that passes wanted of the heap; an hour by default.
void let_idle_heap_wait_at_most(std::int64_t nanoseconds);

// Sets for how long a lane is kept warm that no pass needs; 0, the default: for ever. A lane gives back its pages then, and
// the heap what lies idle in it.
void set_idle_release(std::int64_t nanoseconds);

// Gives back the memory that has lain idle for so long, if it is time to look; `now` is coarse_nanoseconds_now(). To be called
// between passes, and by threads that run none. Costs two loads, and a look at all lanes eight times in the wait.
void release_what_is_idle(std::int64_t now);

// Gives back the pages of all lanes on which no pass runs, and what lies idle in the heap. Returns how many bytes of memory
// that were. Waits while another thread changes the plans.
std::uint64_t release_memory();

// Adds another lane or peak region of the plan that serves, without memory yet. Returns false if there are enough lanes of its
// kind, or if another thread changes the plans at this moment.
[[nodiscard]] bool add_lane_on_demand(LaneFor use);

// Adds another lane in place of one whose cells are held by blocks that outlived their passes; that one is used
// again when it is empty. Returns false if there are enough lanes.
[[nodiscard]] bool substitute_lane(const Lane& worn);

// Hold changes of plans off around fork(), so that the child inherits no plan in the middle of a
// change. runtime/serving/copies.h says what else the child does.
void before_fork();
void after_fork_in_parent();
void let_go_after_fork();

// Forgets, in a copy of the process, the look-ups of sites and the growth that other threads had begun, so that they are
// done again.
void forget_look_ups();

// The state of the lanes, and the path of the plan that serves ("" for none).
struct ServingFigures {
  std::uint64_t lanes;         // lanes for passes that have memory, and have not given it back
  std::uint64_t used;          // of these, the lanes that have run a pass
  std::uint64_t worker_lanes;  // worker lanes that have memory
  std::uint64_t peak_regions;  // peak regions that have memory, and have not given it back
  std::uint64_t peak_bytes;    // of these; `slab_bytes` counts them, too
  std::uint64_t pinned;        // blocks in lanes on which no pass runs: they outlived their passes
  std::uint64_t slab_bytes;
  std::uint64_t plan_hash;  // checksum of the plan's file
  std::uint64_t warm_up;    // passes of each kind that its warm-up takes
  char plan[512];
};
void look_at_serving(ServingFigures* figures);

// Does the same, but for the pinned blocks, which it leaves at 0. Returns false where another thread changes the
// plans at this moment.
[[nodiscard]] bool look_at_serving_without_waiting(ServingFigures* figures);

// Returns the number of passes of each kind that the warm-up takes; 0 without a plan.
[[nodiscard]] std::uint64_t passes_of_warm_up();

// Returns true if a plan is in force and its warm-up ended before the pass of this number.
[[nodiscard]] bool is_past_warm_up(std::uint64_t pass_number);

extern std::atomic<LoadedPlan*> g_plan;  // the plan for new passes; nullptr: none

}  // namespace memo::runtime
