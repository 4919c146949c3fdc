#include "preload/modes/serve/serve.h"

#include <algorithm>
#include <cstring>

#include "preload/boundaries/boundary.h"
#include "preload/boundaries/own_stack.h"
#include "preload/boundaries/sink.h"
#include "preload/dispatch/off_heap.h"
#include "preload/heap/heap.h"
#include "preload/heap/occasions.h"
#include "preload/hooks/hooks.h"
#include "preload/log/log.h"
#include "preload/modes/serve/allocating.h"
#include "preload/modes/serve/between_passes.h"
#include "preload/modes/serve/live.h"
#include "preload/modes/serve/operator_hooks.h"
#include "preload/modes/serve/stats_file.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/pass/arena.h"
#include "runtime/pass/reckoning.h"
#include "runtime/pass/workers.h"
#include "runtime/plan/anchors.h"
#include "runtime/plan/plan_trust.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/limits.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/forks.h"
#include "runtime/serving/growing.h"
#include "runtime/serving/idle_heap.h"
#include "runtime/serving/idle_lanes.h"
#include "runtime/serving/look_ups.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/plan_watch.h"
#include "runtime/serving/statistics.h"
#include "runtime/serving/turns.h"
#include "runtime/slab/region.h"
#include "runtime/worth/worth.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kLeastSlab = std::uint64_t{1} << 25;  // bytes of the smallest region worth reserving
constinit bool g_has_address_space = false;                   // stays false in modes that do not serve

// Returns the route of a thread that has had no pass yet: it may become a worker. A thread with passes of its
// own never does.
Route route_of_new_thread() {
  return runtime::workers_are_planned() ? Route::kAwaiting : route_outside();
}

// Begins a marked or hooked pass. Ignores it if the plan has anchors: such a plan was made from passes that
// begin at anchors, and other boundaries would split them.
void pass_begins(const BoundaryName&, std::uint64_t key, std::uintptr_t stack, std::uintptr_t object) {
  if (runtime::anchors_open_passes()) {
    if (!in_pass()) t_route = Route::kAwaiting;
    runtime::t_self.ignores_operators = true;
    return;
  }
  const KeptErrno kept;
  runtime::pass_begin(key, reinterpret_cast<const void*>(stack), object);
  t_route = runtime::pass_goes_by() ? Route::kPlainHeap : Route::kInPass;
}

void pass_ends(PassEnd how) {
  if (runtime::anchors_open_passes()) return;
  const KeptErrno kept;
  t_route = route_outside();
  note_lead_of_pass(!runtime::t_self.ignores_operators);
  how == PassEnd::kReached ? runtime::pass_end() : runtime::pass_abandon();
  report_between_passes();
}

// Finds the plan's call sites again after a dlopen, if anchors open the passes. A marked or hooked pass that
// misses much does so by itself, but before an anchor has an address there is no pass that could.
void objects_loaded() {
  const KeptErrno kept;
  if (runtime::anchors_open_passes()) runtime::modules_changed();
}

void say(const char* line) {
  const KeptErrno kept;
  log_trouble(line);
}

void say_note(const char* line) {
  const KeptErrno kept;
  log_note(line);
}

bool start() {
  runtime::set_notice_sink(say);
  runtime::set_note_sink(say_note);
  if (*option_text(GuestOptionId::kPlan) == '\0' && option_mode() == Mode::kServe)
    log_trouble(
        "mode serve without a plan: the heap serves; name one in MEMOMALLOC_PLAN, or with memo_plan_load");
  g_has_address_space = runtime::reserve_region(kLeastSlab);
  if (!g_has_address_space) log_trouble("no address space for the slab: the heap serves");
  watch_addresses(reinterpret_cast<std::uintptr_t>(runtime::g_region.base),
                  runtime::g_region.chunks * runtime::kChunkBytes);
  describe_live_page();
  set_boundary_sink(&kServeSink);
  start_hooks();
  return true;
}

std::int64_t seconds_of(GuestOptionId option) {
  constexpr unsigned long kLongest = 1ul << 31;
  return static_cast<std::int64_t>(std::min(option_number(option), kLongest)) * runtime::kSecond;
}

// Returns how many passes may run at once by themselves: one more than processors, so that none of these waits for the next pass to begin;
// in Python twice as many, since a pass that wants the interpreter's lock keeps its turn meanwhile.
std::uint32_t as_many_as_run() {
  const std::uint32_t processors = runtime::usable_processors();
  const bool is_python = platform::first_definition("Py_IsInitialized").address != 0;
  return is_python ? 2 * processors : processors + 1;
}

void set_turns() {
  if (std::strcmp(option_text(GuestOptionId::kAtOnce), "auto") == 0)
    return runtime::g_turns.let_run(as_many_as_run(), runtime::TurnsFor::kAnyone);
  runtime::g_turns.let_run(static_cast<std::uint32_t>(option_number(GuestOptionId::kAtOnce)));
}

void loaded() {
  runtime::set_idle_heap_hook(heap::give_back_idle_and_count);
  if (std::strcmp(option_text(GuestOptionId::kAside), "never") != 0)
    runtime::compare_ways(option_mode() == Mode::kAuto ? runtime::WhoPlans::kLibrary
                                                       : runtime::WhoPlans::kUser);
  write_statistics_every(option_number(GuestOptionId::kStatsEvery));
  runtime::let_growths_run_beside();
  runtime::set_memory_budget(option_size(GuestOptionId::kMemoryBudget, runtime::kNoLimit));
  runtime::set_idle_release(seconds_of(GuestOptionId::kIdleRelease));
  set_turns();
  runtime::set_lanes(static_cast<std::uint32_t>(option_number(GuestOptionId::kLanes)));
  if (are_plans_taken_of_anyone()) runtime::take_plans_of_anyone();
  const char* plan = option_text(GuestOptionId::kPlan);
  if (*plan != '\0' && g_has_address_space)
    runtime::watch_plan(plan,
                        option_mode() == Mode::kAuto ? runtime::Absent::kExpected : runtime::Absent::kSay);
  if (runtime::statistics().plans_loaded != 0) show_live_page();
  if (option_mode() == Mode::kServe) heap::call_now_and_then(look_where_no_pass_begins);
  t_route = route_of_new_thread();
}

// Restarts the count of allocations without a pass, on both sides of a fork: where one process prepares and
// others run the passes, no process is judged by the allocations of another.
void await_anew() {
  runtime::g_anchors.awaited.store(0, std::memory_order_relaxed);
}

void begin_as_copy() {
  await_anew();
  describe_live_page();
}

void after_fork_in_parent() {
  runtime::after_fork_in_parent();
  await_anew();
}

// Writes the statistics and gives idle heap pages back: memory that the program freed at its end makes room for
// pages that its destructors touch.
void finish() {
  if (runtime::passes_never_came()) say_that_no_pass_began();
  runtime::count_all_skipped_passes();
  write_statistics(option_text(GuestOptionId::kStats));
  finish_live_page();
  heap::give_back_idle();
}

}  // namespace

// Refuses where no region was reserved, as in modes that do not serve: frees are watched in that range only, so
// no slab may appear later.
bool load_plan(const char* path) {
  return g_has_address_space && runtime::serve_plan(path);
}

std::size_t release_memory() {
  const KeptErrno kept;
  return g_has_address_space ? runtime::release_memory() : heap::give_back_idle_and_count();
}

constexpr BoundarySink kServeSink{pass_begins, pass_ends, nullptr, nullptr, objects_loaded};

constexpr Backend kServeBackend{
    .find_first_route = route_of_new_thread,
    .start = start,
    .loaded = loaded,
    .allocate = allocate_serving,
    .allocate_at_boundary = allocate_across,
    .look_while_awaiting = look_while_awaiting,
    .reallocate = reallocate_serving,
    .release = release_serving,
    .usable_size = usable_size_serving,
    .before_fork = runtime::before_fork,
    .after_fork_in_parent = after_fork_in_parent,
    .begin_as_copy = begin_as_copy,
    .keep_own_in_copy = keep_own_shadow_in_copy,
    .finish = finish,
};

}  // namespace memo::guest
