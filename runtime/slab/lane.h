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

#include "runtime/formats/live_page.h"
#include "runtime/plan/growth.h"
#include "runtime/plan/loaded_plan.h"
#include "runtime/platform/identity.h"
#include "runtime/platform/nodes.h"
#include "runtime/slab/as_planned.h"
#include "runtime/slab/live_bits.h"
#include "runtime/slab/region.h"

namespace memo::runtime {

inline constexpr std::uint32_t kMaxLanes = 255;
inline constexpr std::uint32_t kMaxOpenScopes = 64;

// Workers have lanes of their own (runtime/pass/workers.h). A peak region is a lane without cells, for the slots above the
// plan's split: a pass holds one beside its lane while it has such blocks (runtime/pass/peaks.h).
enum class LaneFor : std::uint8_t { kPasses, kWorkers, kPeaks };

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

// Why an allocation inside a pass went to the heap.
enum class Reason : std::uint8_t {
  kNoPlan,       // no plan, or none for this pass key
  kNoLane,       // more passes at once than lanes
  kUnknownSite,  // the plan does not know the caller
  kUnexpected,   // known caller, but none of its slots is left
  kTooBig,       // larger than the slot
  kAlignment,    // aligned more strictly than the slot
  kOccupied,     // something that still lives shares bytes with the slot
  kGaveUp,       // the pass did not match for so long that it stopped trying
  kReentered,    // a signal handler allocated while its thread was allocating
  kUnplanned,    // the plan leaves it to the heap
  kKept,         // likewise, since the block outlives its pass
  kNoPeak,       // the passes of other lanes hold all peak regions
};
static_assert(static_cast<std::uint32_t>(Reason::kNoPeak) + 1 == kReasonCount);

// Returns true if the plan itself leaves such requests to the heap.
constexpr bool is_foreseen(Reason reason) {
  return reason == Reason::kUnplanned || reason == Reason::kKept;
}

// The variants that a pass may use: those of its key; if there are none, those without a key; if there are none
// either and the pass has no key, all. Only workers use the variants for workers.
struct Wanted {
  bool any;
  std::uint64_t key;

  [[nodiscard]] bool fits(const Variant& variant) const {
    return variant.pass_key == key || (any && !is_for_workers(variant));
  }
};

struct Lane;

// The progress of a pass in its variant. Only the thread that runs the pass uses it.
struct Progress {
  Wanted wanted;
  std::uint64_t fallback[kReasonCount];
  std::uint64_t fallback_bytes;
  std::uint64_t kept_bytes;      // of these, the ones of blocks that outlive their pass
  std::uint64_t occupied_bytes;  // of these, the ones whose places were taken
  std::uint64_t asked_at;        // tick at which it asked for its turn, if passes take turns, and began
  std::uint64_t own_ticks;       // ticks that beginning and searching took
  std::uint64_t operator_ticks;  // ticks that hearing of operators took
  std::uint64_t searches;
  std::uint64_t operators;  // that its passes were told of, all of them together
  std::uint64_t pass_key;
  std::uintptr_t object;         // that the pass is a call of, or 0; after it, of the lane's last pass
  Lane* peak;                    // the peak region that the pass holds
  std::uint64_t peaks_taken;     // times that it took one
  WantedGrowth growth;           // of the variant that the pass is in
  OutgrownRequests outgrown;     // likewise
  std::uint64_t past_lists;      // likewise: requests that found their list used up
  std::uint64_t served_at_miss;  // `served` at the last miss: equal means nothing was served since
  std::uint32_t misses_in_row;
  std::uint32_t rest;     // allocations that a resting pass leaves to the heap before it looks for its place
  std::uint32_t rests;    // rests since the pass last matched for a while
  std::uint32_t lost_at;  // slot at which a resting pass goes on
  bool departed;          // the pass did something else than the plan foresees
  bool departed_unled;    // it did so for the first time while it ignored operators from its begin on
  bool has_turn;          // the pass has a turn (runtime/serving/turns.h)
  bool let_go;            // it ignores operators since it turned in loops as planned
  std::uint32_t resume;   // slot to go on at if the pass skipped those before it; kNone
  std::uint32_t next_spare;  // where the search for a spare cell goes on
  std::uint32_t next_scope;  // scope expected next, in the order of the plan
  std::uint32_t open_scopes;
  std::uint32_t open[kMaxOpenScopes];  // open scopes, innermost last; kNone for one that the plan lacks

  // Forgets what the pass wanted to be larger in the variant that it leaves.
  void forget_wishes() {
    growth = {};
    outgrown.forget();
    past_lists = 0;
  }
};

inline void count_fallback(Progress& progress, Reason reason, std::uint64_t bytes) {
  ++progress.fallback[static_cast<int>(reason)];
  progress.fallback_bytes += bytes;
  if (reason == Reason::kKept) progress.kept_bytes += bytes;
  if (reason == Reason::kOccupied) progress.occupied_bytes += bytes;
}

struct alignas(64) Lane {
  std::atomic<std::uint64_t> word;  // LaneWord
  std::atomic<LoadedPlan*> plan;
  std::atomic<const Variant*> variant;  // that the live bits refer to; see may_run_on()
  std::uint32_t first_granule;
  std::uint32_t origin;        // granule of the plan at which it begins: 0, or the split's for a peak region
  std::uint32_t chunks;        // addresses that are its own: its slab may become higher in them
  std::uint64_t bytes;         // bytes of its slab
  std::atomic<LaneFor> use;    // a worker lane has room only for the variants of workers
  std::atomic<bool> backed;    // has memory
  std::atomic<bool> used;      // has run a pass
  std::atomic<bool> ran;       // has run a pass since release_idle_lanes() looked last
  std::atomic<bool> cold;      // its pages were given back, and no pass has touched them since
  std::atomic<Node> node;      // where its pages lie; kNoNode on a machine of one node
  std::uint32_t ran_in;        // number of the part of time in which it last ran (lane_release_policy.h)
  std::int64_t refused_until;  // there was no memory for it: when to ask again
  bool set_aside;              // held too many blocks at the end of a pass: unused until it is empty
  bool in_place_of_another;    // replaces a lane whose pages were touched already
  bool thinned;                // passes leave it alone, and its idle pages are given back
  bool keeps_small_pages;  // its idle pages are given back, and blocks live on others; see keep_small_pages()
  AsPlanned as_planned;    // how well its passes keep to the plan
  AsPlanned turns_as_planned;       // likewise, from one turn of a loop to the next
  std::uint64_t places_taken;       // sum over passes in a row of places that older blocks held
  std::uint32_t asked_for_another;  // times that a fresh lane would have been worth it
  std::uint32_t* next_of_name;      // name -> its next scope in this pass, and then: list -> cells looked at
  LiveBits live;                    // of its large slots
  Progress progress;
};

extern Lane g_lanes[kMaxLanes];

// Returns the granule of the region at which a large slot begins in this lane.
[[nodiscard]] inline std::uint64_t granule_in(const Lane& lane, const LargeSlot& slot) {
  return std::uint64_t{lane.first_granule} + (slot.granule - lane.origin);
}

[[nodiscard]] inline bool is_peak_region(const Lane& lane) {
  return lane.use.load(std::memory_order_relaxed) == LaneFor::kPeaks;
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

// Gives back the pages that hold no live block. Returns how many bytes of memory that were. For the thread that holds the lane,
// whose pass may go on: what other threads free meanwhile keeps its pages, and no other thread takes a block.
std::uint64_t let_idle_parts_go(const Lane& lane);

// The same for a lane that no pass runs in: also the owners' pages where nothing lives there, and elsewhere keep_pages_few().
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
// other passes may have given back theirs. `make_room`, where there is one, is asked first whether it can make some.
[[nodiscard]] bool back_lane(Lane& lane, Pages pages, bool (*make_room)() = nullptr);

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
