// Passes: where they begin and end, and what a nested or an abandoned pass means.
#include <algorithm>

#include "runtime/pass/arena.h"
#include "runtime/pass/lane_taking.h"
#include "runtime/pass/last_pass.h"
#include "runtime/pass/loop_cursor.h"
#include "runtime/pass/reckoning.h"
#include "runtime/pass/slower.h"
#include "runtime/pass/workers.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/figures.h"
#include "runtime/serving/idle_heap.h"
#include "runtime/serving/pass_memory.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/plan_watch.h"
#include "runtime/serving/statistics.h"
#include "runtime/serving/turns.h"
#include "runtime/slab/skipping.h"
#include "runtime/worth/worth.h"

namespace memo::runtime {

namespace {

constexpr std::uint64_t kMostPassesToWarm = 15;  // what ThreadState has room for

// Counts the pass itself: one on a lane as it ends, which shows even where its thread is gone, and one without as it begins.
void count_pass(const ThreadState& self) {
  Statistics& counters = statistics();
  add(counters_of(use_of(self)).passes, 1);
  if (self.why == Reason::kCompared) return add(counters.compared_passes, 1);
  if (self.is_steady) add(counters.steady.passes, 1);
}

void count_blocks(const ThreadState& self) {
  if (self.why == Reason::kCompared) {
    add(statistics().compared_blocks, self.missed);
    return add(statistics().compared_bytes, self.missed_bytes);
  }
  if (self.is_steady) count_steady_blocks(self);
  PassCounters& counters = counters_of(use_of(self));
  add(counters.fallback[static_cast<int>(self.why)], self.missed);
  add(counters.fallback_bytes, self.missed_bytes);
}

// Returns the most that the pass may have held on its lane at once: the height of its variant. A variant that it left counts with no
// more than it was served until then, since a pass may begin in one that is far too high.
std::uint64_t height_of(const Lane& lane) {
  return std::max(lane.progress.held_before, lane.variant.load(std::memory_order_relaxed)->height);
}

// Returns that height.
std::uint64_t end_counted_on_lane(ThreadState& self) {
  const std::uint64_t height = height_of(*self.lane);
  count_pass(self);
  end_on_lane(self);
  if (!self.is_worker) count_pass_memory(height + self.missed_bytes);
  return height;
}

void end_pass(ThreadState& self) {
  prolong_if_served(self);
  count_served(self);
  place_cursor(self, &kNoPass);
  self.depth = 0;
  if (!self.passes_by) count_blocks(self);
  note_last_pass(self, self.lane != nullptr ? end_counted_on_lane(self) : 0);
  if (self.counted_kind != 0) passing_by(self.counted_kind).note(self.missed, self.missed_bytes);
  self.counted_kind = 0;
  if (self.is_running) g_running_passes.end();
  if (self.has_turn) g_turns.give();
  self.is_running = self.is_worker = self.passes_by = self.has_turn = false;
}

bool is_at_its_end(const ThreadState& self) {
  const Variant& variant = *self.lane->variant.load(std::memory_order_relaxed);
  return self.cursor == variant.hot + variant.slot_count && !ends_in_a_loop(variant);
}

// Returns true if the plan has nothing left for the outer pass: a begin inside it may as well be a pass of its
// own. So a pass that a deeper frame left without an end does not swallow all passes after it.
bool worn_out(const ThreadState& self) {
  if (self.lane == nullptr) return g_plan.load(std::memory_order_relaxed) != nullptr;
  return self.cursor == &kNoPass || is_at_its_end(self);
}

// Returns true if another variant that the pass may use goes on at this position with a slot for `site`.
bool another_goes_on(const Lane& lane, std::uint64_t site) {
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  const LoadedPlan& plan = *lane.plan.load(std::memory_order_relaxed);
  return std::any_of(plan.variants.begin(), plan.variants.end(), [&](const Variant& other) {
    return lane.progress.wanted.fits(other) && other.slot_count > variant.slot_count &&
           other.hot[variant.slot_count].site.load(std::memory_order_relaxed) == site;
  });
}

// Returns true if a begin in this frame joins the running pass. The stack grows downwards, so a deeper frame
// has a lower address.
bool joins(const ThreadState& self, const void* frame) {
  return reinterpret_cast<std::uintptr_t>(frame) < self.frame_or_last && !worn_out(self);
}

void start_without_lane(ThreadState& self, Reason why) {
  self.served = self.served_bytes = self.missed = self.missed_bytes = 0;
  self.depth = 1;
  self.why = why;
}

// Lets a pass without a lane pass by. It is taken to allocate as much as the last one of its kind whose blocks were counted: that is
// counted here, since nobody sees the end of one whose thread ends. Those behind it are skipped for a while, unless the user wants them
// to wait for turns, or they may take another way since they are compared.
void pass_by(ThreadState& self, std::uint64_t key, PassKind& kind) {
  if (!passes_may_go_by()) return;
  PassingBy& passes = passing_by(kind);
  self.ignores_operators = true;
  self.passes_by = !passes.counts_the_next();
  self.counted_kind = self.passes_by ? 0 : number_of(kind) & 0x7f;
  if (!self.passes_by) return;
  self.missed = passes.blocks();
  self.missed_bytes = passes.bytes();
  count_blocks(self);
  if (self.why != Reason::kCompared && (!self.has_turn || g_turns.spare_those_aside()))
    let_be_skipped(key, self.why, ticks_per_second());
}

// Takes the lanes of threads that ended inside passes, or right after them and unnoticed, before memory is
// taken for another lane: once for each thread, since it looks at all lanes.
void start_on_a_lane(ThreadState& self, const Outset& outset) {
  if (!self.has_looked_for_ended_threads) end_passes_of_ended_threads();
  self.has_looked_for_ended_threads = true;
  start_without_lane(self, Reason::kNoPlan);
  take_lane(self, outset);
}

// Starts the pass on a lane, unless its way is the heap's, or the plan has nothing for it: then the pass has no lane and passes by.
void start_if_worth(ThreadState& self, const Outset& outset, PassKind& kind) {
  const bool has_plan = g_plan.load(std::memory_order_relaxed) != nullptr;
  const Way way = has_plan ? way_of(kind, &self, self.is_steady) : Way::kSlab;
  if (way == Way::kSlabFromNowOn) give_back_before_next_pass();
  if (way == Way::kHeap || way == Way::kHeapToCompare) {
    start_without_lane(self, way == Way::kHeapToCompare ? Reason::kCompared : Reason::kGaveUp);
    return pass_by(self, outset.key, kind);
  }
  start_on_a_lane(self, outset);
  if (self.lane == nullptr) return self.why == Reason::kNoPlan ? pass_by(self, outset.key, kind) : void();
  note_served_begin();
  give_back_if_asked();
}

// Returns true if the pass comes after the warm-up of its kind, and of its thread. Threads that begin together are all in their first
// passes while the process counts its tenth one. So a thread that begins in the warm-up warms up for as many passes of its own.
bool begins_steadily(ThreadState& self, PassKind& kind) {
  const bool is_warm = is_past_warm_up(count_passes(kind));
  if (!self.has_begun && !is_warm)
    self.passes_to_warm = std::min(passes_of_warm_up(), kMostPassesToWarm) & kMostPassesToWarm;
  self.has_begun = true;
  if (self.passes_to_warm == 0) return is_warm;
  --self.passes_to_warm;
  return false;
}

// Waits for the pass's turn, if passes of this kind take turns.
void take_turn(ThreadState& self, const PassKind& kind) {
  if (g_turns.spare_those_aside() && stands_aside(kind)) return;
  self.has_turn = g_turns.take([] { end_passes_of_ended_threads(); });
}

// Begins a pass. `frame` is null for a pass that an anchor opened: no begin joins that one, and since it ends with the next one's
// begin, nobody could wait for its turn. A pass that passes by has no workers to serve: its end may show late, or never if its thread
// ends.
void set_out(ThreadState& self, const Outset& outset, const void* frame) {
  PassKind& kind = kind_of(outset.key);
  count_skipped_passes(outset.key, kind);
  current_thread();  // comes before the pass is counted: a copy begins its counts anew
  if (frame != nullptr) take_turn(self, kind);
  look_after_plans();
  self.frame_or_last = reinterpret_cast<std::uintptr_t>(frame);
  self.is_steady = begins_steadily(self, kind);
  start_if_worth(self, outset, kind);
  if (self.lane == nullptr) count_pass(self);
  self.is_running = !self.passes_by && self.counted_kind == 0;
  if (self.is_running) g_running_passes.begin();
}

void set_out_as_worker(ThreadState& self, std::uint32_t latest) {
  self.is_worker = true;
  self.is_steady = false;
  self.worked_for = latest;
  start_on_a_lane(self, {.key = kWorkerPassKey, .object = 0});
  if (self.lane == nullptr) count_pass(self);
}

}  // namespace

bool end_passes_of_ended_threads() {
  bool any = false;
  for (Lane& lane : g_lanes) {
    if (!take_from_ended_thread(lane, current_thread())) continue;
    const LaneFor use = lane.use.load(std::memory_order_relaxed);
    if (use == LaneFor::kPasses) g_running_passes.end();
    if (lane.progress.has_turn) g_turns.give();
    add(counters_of(use).passes, 1);
    add_fallback(counters_of(use), lane.progress);
    give_lane(lane);
    any = true;
  }
  return any;
}

bool move_worker_on(std::uint64_t site) {
  ThreadState& self = t_self;
  self.moves_on = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (self.is_worker) end_pass(self);
  self.worked_for = 0;
  const std::uint32_t latest = g_running_passes.latest();
  if (latest != 0 && is_worker_site(site)) set_out_as_worker(self, latest);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  self.moves_on = false;
  return self.is_worker;
}

void pass_begin(std::uint64_t key, const void* frame, std::uintptr_t object) {
  ThreadState& self = t_self;
  if (self.is_worker) end_pass(self);
  if (self.depth != 0) {
    if (joins(self, frame)) {
      ++self.depth;
      return;
    }
    pass_abandon();
  }
  set_out(self, {.key = key, .object = object}, frame);
}

void pass_open(std::uint64_t key) {
  ThreadState& self = t_self;
  if (self.depth != 0) end_pass(self);
  set_out(self, {.key = key, .object = 0}, nullptr);
}

bool pass_is_used_up(std::uint64_t site) {
  const ThreadState& self = t_self;
  return self.lane != nullptr && !self.is_worker && is_at_its_end(self) && !another_goes_on(*self.lane, site);
}

void pass_end() {
  ThreadState& self = t_self;
  if (self.is_worker || self.depth == 0 || --self.depth != 0) return;
  end_pass(self);
}

void pass_abandon() {
  ThreadState& self = t_self;
  if (self.is_worker || self.depth == 0) return;
  add(statistics().abandoned, 1);
  end_pass(self);
}

}  // namespace memo::runtime
