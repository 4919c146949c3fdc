// A lane: one slab, on which one pass runs at a time.
//
//   vacant ──(a plan is loaded)──► idle ◄──(pass begins / ends)──► busy
//      ▲                            │
//      └──(plan replaced, lane empty)
//
// Lanes are few and live in a fixed table, so that a thread may look at any of them at any time. A pass takes a
// lane by one compare-and-swap and gives it back by one store. Any thread may free its blocks, whatever the
// lane is doing: a free needs only the owners' table and the live bits (runtime/slab/live_bits.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/plan/loaded_plan.h"
#include "runtime/platform/identity.h"
#include "runtime/platform/nodes.h"
#include "runtime/slab/as_planned.h"
#include "runtime/slab/live_bits.h"
#include "runtime/slab/progress.h"
#include "runtime/slab/region.h"

namespace memo::runtime {

inline constexpr std::uint32_t kMaxLanes = 255;

// Workers have lanes of their own (runtime/pass/workers.h).
enum class LaneFor : std::uint8_t { kPasses, kWorkers };

enum class LaneState : std::uint64_t { kVacant, kIdle, kBusy };

// State, thread and a count of claims in one word: a compare-and-swap that takes a lane from a thread that has
// ended fails if the lane has changed hands since.
struct LaneWord {
  std::uint64_t bits;

  [[nodiscard]] LaneState state() const { return static_cast<LaneState>(bits & 3); }
  [[nodiscard]] ThreadName thread() const { return static_cast<ThreadName>(bits >> 2); }
  [[nodiscard]] LaneWord busy(ThreadName thread) const {
    const std::uint64_t claims = (bits >> 34) + 1;
    return {claims << 34 | std::uint64_t{thread} << 2 | static_cast<std::uint64_t>(LaneState::kBusy)};
  }
  [[nodiscard]] LaneWord in(LaneState state) const {
    return {(bits >> 34) << 34 | static_cast<std::uint64_t>(state)};
  }
};

// A lane goes through these in order, and begins again where a vacant one is given to a plan. Only the thread that holds the
// lane moves it on; any thread may look. One with memory may be `cold` besides, whether a pass has run on it or not.
enum class LaneMemory : std::uint8_t {
  kNothing,
  kUnused,  // has memory; no pass has run on it
  kUsed,
};

struct alignas(64) Lane {
  std::atomic<std::uint64_t> word;  // LaneWord
  std::atomic<LoadedPlan*> plan;
  std::atomic<const Variant*> variant;  // that the live bits refer to; see may_run_on()
  std::uint32_t first_granule;
  std::uint32_t chunks;            // addresses that are its own: its slab may become higher in them
  std::uint64_t bytes;             // bytes of its slab
  std::atomic<LaneFor> use;        // a worker lane has room only for the variants of workers
  std::atomic<LaneMemory> memory;  // whether it has some, and whether a pass has run on it
  std::atomic<bool> ran;           // has run a pass since release_what_is_idle() looked last
  std::atomic<bool> cold;          // its pages were given back, and no pass has touched them since
  std::atomic<Node> node;          // where its pages lie; kNoNode on a machine of one node
  std::uint32_t ran_in;            // number of the part of time in which it last ran (lane_release_policy.h)
  std::int64_t refused_until;      // there was no memory for it: when to ask again
  bool crowded;                    // held too many blocks at the end of a pass: unused until it is empty
  bool thinned;                    // passes leave it alone, and its idle pages are given back
  bool keeps_small_pages;  // its idle pages are given back, and blocks live on others; see keep_small_pages()
  AsPlanned as_planned;    // how well its passes keep to the plan
  AsPlanned iterations_as_planned;  // likewise, from one iteration of a loop to the next
  std::uint64_t places_taken;       // sum over passes in a row of places that older blocks held
  std::uint32_t asked_for_another;  // times that a fresh lane would have been worth it
  std::uint32_t* next_of_name;      // name -> its next scope in this pass, and then: list -> cells looked at
  LiveBits live;                    // of its large slots
  Progress progress;
};

extern Lane g_lanes[kMaxLanes];

[[nodiscard]] inline bool has_memory(const Lane& lane) {
  return lane.memory.load(std::memory_order_relaxed) != LaneMemory::kNothing;
}

// Returns true if the lane is a plan's and has memory.
[[nodiscard]] inline bool is_backed(const Lane& lane) {
  return lane.plan.load(std::memory_order_relaxed) != nullptr && has_memory(lane);
}

// Returns false also for a lane that gave its pages back, but for those of blocks that live in it.
[[nodiscard]] inline bool has_pages(const Lane& lane) {
  return is_backed(lane) && !lane.cold.load(std::memory_order_relaxed);
}

// Returns true if the lane has run a pass.
[[nodiscard]] inline bool was_used(const Lane& lane) {
  return lane.memory.load(std::memory_order_relaxed) == LaneMemory::kUsed;
}

// Returns true if no large slot is live.
[[nodiscard]] bool large_empty(const Lane& lane);

// Returns true if the lane's live bits mean the same in the variant, or none is set: only then it may become the lane's.
[[nodiscard]] inline bool may_run_on(const Lane& lane, const Variant& variant) {
  return share_places(*lane.variant.load(std::memory_order_relaxed), variant) || large_empty(lane);
}

// Returns true if no block at all is live.
[[nodiscard]] bool lane_empty(const Lane& lane);
[[nodiscard]] std::uint64_t live_blocks(const Lane& lane);

// Gives back the pages that hold no live block, of a lane that no pass runs in: also the owners' pages where nothing lives there, and
// elsewhere keep_pages_few(). For the thread that holds the lane. Returns how many bytes of memory that were.
std::uint64_t let_idle_pages_go(Lane& lane);

// The same, unless it was done since a pass had the lane. For a lane that passes leave alone while blocks live in it.
void let_idle_pages_go_once(Lane& lane);

// Has a lane in which blocks live keep no more pages than these need. For the thread that holds the lane.
void keep_pages_few(Lane& lane);

// Wants huge pages again for a lane that a pass takes. For the thread that holds the lane. Costs one comparison, and a system call after
// keep_pages_few().
inline void want_pages_again(Lane& lane) {
  if (!lane.keeps_small_pages) [[likely]]
    return;
  lane.keeps_small_pages = false;
  if (lane.use.load(std::memory_order_relaxed) != LaneFor::kWorkers)
    want_huge_pages_again(lane.first_granule, lane.bytes);
}

// Moves the pages that hold neither cells nor a live large block to the same places of another lane, in which nothing
// lives; both have memory. For the thread that holds both. Moves whole chunks only, so that each is one mapping ever after.
// Returns how many bytes it moved, or kLaneIsLost where `to` must never be used again.
inline constexpr std::uint64_t kLaneIsLost = ~std::uint64_t{0};
[[nodiscard]] std::uint64_t move_idle_chunks(const Lane& from, const Lane& to);

// Takes the lane, which the caller holds, out of use for good. No thread takes it from one that is not known.
void abandon_lane(Lane& lane);

// Has the pages that the lane touches from now on come from the node. They come from where they are touched if the kernel
// refuses. For the thread that holds the lane.
void place_lane(Lane& lane, Node node);

// Does the same before a pass on the lane, which has no pages or has run none: the pages that another thread prepared move to
// the node. Where they cannot, the lane stays on theirs.
void bring_lane_to(Lane& lane, Node node);

// Gives the lane its memory, on the node of the calling thread. Returns false if there is none. Then it asks again after a second, since
// other passes may have given back theirs, and the heap what lay idle in it.
[[nodiscard]] bool back_lane(Lane& lane, Pages pages);

// Makes the lane, which has memory, at least `bytes` high, and gives the tables their pages for the places in `plan`.
// What was touched keeps its pages. Returns false if there is no room above it. For the thread that holds the lane,
// while no block lies in it.
[[nodiscard]] bool heighten_lane(Lane& lane, LoadedPlan& plan, std::uint64_t bytes, Pages pages);

// Takes the lane if it is idle and serves `plan`; from then on the plan cannot be discarded. give_lane() makes
// the lane idle again, vacate_lane() takes it from its plan.
[[nodiscard]] bool claim_lane(Lane& lane, const LoadedPlan* plan, ThreadName thread);
void give_lane(Lane& lane);
void vacate_lane(Lane& lane);

// Takes the lane if its thread ended in the middle of a pass.
[[nodiscard]] bool take_from_ended_thread(Lane& lane, ThreadName thread);

// Renames what the one thread of a copy of the process holds: what it held under the name `before`, and the
// lane `running` of its pass, it holds under its new name. The passes of the other threads are over, and their
// lanes become idle.
void keep_own_lanes(const Lane* running, ThreadName before, ThreadName now);

}  // namespace memo::runtime
