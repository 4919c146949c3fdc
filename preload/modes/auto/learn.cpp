#include "preload/modes/auto/learn.h"

#include <cstdint>

#include "preload/boundaries/sink.h"
#include "preload/dispatch/heap_block.h"
#include "preload/dispatch/off_heap.h"
#include "preload/heap/occasions.h"
#include "preload/log/log.h"
#include "preload/modes/auto/kept_worth.h"
#include "preload/modes/auto/learning.h"
#include "preload/modes/auto/looks.h"
#include "preload/modes/auto/own_planner.h"
#include "preload/modes/auto/pass_counts.h"
#include "preload/modes/auto/passes.h"
#include "preload/modes/auto/recording_claim.h"
#include "preload/modes/auto/recordings.h"
#include "preload/modes/auto/room_to_learn.h"
#include "preload/modes/auto/stranger.h"
#include "preload/modes/auto/unused_plan.h"
#include "preload/modes/profile/recorder.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/serve/between_passes.h"
#include "preload/modes/serve/live.h"
#include "preload/modes/serve/serve.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "preload/route/route.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/forks.h"
#include "runtime/slab/region.h"

namespace memo::guest {
namespace {

// Returns true for a thread that no pass runs on, and that loads nothing.
bool is_outside() {
  return on_plain_heap() || t_route == Route::kAwaiting;
}

// Looks around from a thread that does nothing but use the heap (preload/heap/occasions.h): whether recording shall begin or go
// on after a rest, and whether the plan is of any use. A thread that allocates is enough, be there passes or none.
void look_now_and_then() {
  if (!runtime::is_settled_here() || (g_learning.stranger && !has_marked_passes())) return;
  const KeptErrno kept;
  look_where_no_pass_begins();
  refresh_live_page_if_due();
  note_occasion();
  if (!recording()) look_at_rest();
  if (recording() && !has_marked_passes() && is_outside()) t_route = auto_route_outside();
}

thread_local constinit std::uint32_t t_calls __attribute__((tls_model("initial-exec"))) = 0;

// Keeps a stranger as in mode off until it marks a pass.
void await_marks() {
  g_learning.stranger = true;
  withhold_plan();
  record_passes_alone();
  stop_recording(nullptr);
  set_recording(false);
}

// Starts mode serve before mode profile: watch_only_those_addresses() then returns to the slab's range when the
// recording stops.
bool start() {
  if (!has_addresses_to_learn()) return false;
  arrange_own_learning();
  place_claim_beside(option_text(GuestOptionId::kTrace));
  // Tagged pointers would outlive the recording, and mode serve cannot handle them.
  set_option(GuestOptionId::kTag, "software");
  if (!kServeBackend.start() || !kProfileBackend.start()) return false;
  if (passes_may_come_by("period")) record_passes_alone();  // until this process has the claim
  set_boundary_sink(&kAutoSink);
  if (is_stranger()) return await_marks(), true;
  enter_state("learning");
  log_note("auto: learning until there is a plan at ", option_text(GuestOptionId::kPlan));
  return true;
}

// Gives the thread its route last. One of the recorder would be taken from it at its next allocation, perhaps inside a
// dlopen, whose end the thread must notice.
void loaded() {
  kServeBackend.loaded();
  heap::call_now_and_then(look_now_and_then);
  if (g_learning.stranger) return;
  runtime::on_spare_stack(take_over_what_was_found);
  if (!has_memory_to_learn()) learn_nothing();
  if (!recording()) {
    g_learning.plans = plans_taken_up();
  } else if (plans_taken_up() != 0) {
    end_recording();
  }
  t_route = auto_route_outside();
}

// Returns true as long as the first plan may still come. It may have work for a thread without passes of its own.
bool may_become_worker() {
  return has_marked_passes() && awaits_plan() && !has_plan() && !g_learning.for_good;
}

// Gives the thread its route of mode serve. Replaces kPlainHeap too: the recorder sets that route for a thread
// that was inside it when it stopped. A thread on the plain heap never asks for work again, so one that may become a
// worker keeps its route until there is a plan. This costs each of its allocations a look.
void leave_recorded_route() {
  if (t_route == Route::kRecorded && may_become_worker()) return;
  if (t_route == Route::kRecorded || t_route == Route::kPlainHeap) t_route = kServeBackend.find_first_route();
}

void* allocate_served(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  leave_recorded_route();
  if (runtime::anchors_open_passes()) look_between_passes();
  return kServeBackend.allocate(size, alignment, kind, site);
}

void* allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (!recording()) return allocate_served(size, alignment, kind, site);
  leave_anchored_pass();
  if (in_pass()) return kServeBackend.allocate(size, alignment, kind, site);
  if (!has_marked_passes() && ++t_calls % kCallsBetweenLooks == 0) look_between_calls();
  if (!recording()) return allocate_served(size, alignment, kind, site);
  void* block = kProfileBackend.allocate(size, alignment, kind, site);
  if (!recording()) leave_recorded_route();
  return block;
}

// Lets a thread look around before a pass begins that it awaits. While a recording runs, none begins.
void* allocate_at_boundary(runtime::Boundary boundary, std::size_t size, std::size_t alignment,
                           AllocationKind kind, CallSite site) {
  if (!in_pass() && recording()) return allocate(size, alignment, kind, site);
  if (!in_pass() && runtime::anchors_open_passes()) look_between_passes();
  return kServeBackend.allocate_at_boundary(boundary, size, alignment, kind, site);
}

// Moves a block of the slab to wherever an allocation of this size goes now.
void* move_out_of_slab(void* old, std::size_t size, CallSite site) {
  void* fresh = allocate(size, kDefaultAlignment, AllocationKind::kMalloc, site);
  if (fresh == nullptr) return nullptr;
  move_content(fresh, old, runtime::usable_size(old), size);
  kServeBackend.release(old, site);
  return fresh;
}

// Resizes a block. During a recording the recorder moves every block of the heap: otherwise its table would
// still list blocks that are gone.
void* reallocate(void* old, std::size_t size, CallSite site) {
  const bool planned = runtime::owns(old);
  if (!recording() || (planned && in_pass())) {
    leave_recorded_route();
    return kServeBackend.reallocate(old, size, site);
  }
  if (planned) return move_out_of_slab(old, size, site);
  void* block = kProfileBackend.reallocate(old, size, site);
  if (!recording()) leave_recorded_route();
  return block;
}

void release(void* pointer, CallSite site) {
  const bool of_heap = recording() && !runtime::owns(pointer);
  (of_heap ? kProfileBackend : kServeBackend).release(pointer, site);
}

std::size_t usable_size(const void* pointer) {
  const bool of_heap = recording() && !runtime::owns(pointer);
  return (of_heap ? kProfileBackend : kServeBackend).usable_size(pointer);
}

bool identify(const void* inside, memo_allocation* out) {
  return recording() && kProfileBackend.identify(inside, out);
}

void begin_as_copy() {
  kProfileBackend.begin_as_copy();
  kServeBackend.begin_as_copy();
  learn_as_copy();
}

// Lets the thread look for the claim to record where its parent had given that up.
void keep_own_in_copy() {
  kProfileBackend.keep_own_in_copy();
  if (recording() && t_route == Route::kPlainHeap) t_route = auto_route_outside();
}

void finish() {
  if (runtime::is_settled_here() && has_found_more()) runtime::on_spare_stack(keep_what_was_found);
  kProfileBackend.finish();
  kServeBackend.finish();
  if (runtime::is_settled_here() && g_learning.claim.records()) g_learning.claim.give_up();
}

}  // namespace

constexpr Backend kAutoBackend{
    .find_first_route = auto_route_of_new_thread,
    .start = start,
    .loaded = loaded,
    .allocate = allocate,
    .allocate_at_boundary = allocate_at_boundary,
    .look_while_awaiting = look_while_awaiting,
    .reallocate = reallocate,
    .release = release,
    .usable_size = usable_size,
    .before_fork = runtime::before_fork,
    .after_fork_in_parent = [] { kServeBackend.after_fork_in_parent(); },
    .begin_as_copy = begin_as_copy,
    .keep_own_in_copy = keep_own_in_copy,
    .identify = identify,
    .finish = finish,
};

}  // namespace memo::guest
