#include "preload/modes/serve/serve.h"

#include <atomic>
#include <cstring>

#include "preload/boundaries/boundary.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/dispatch/routed.h"
#include "preload/heap/heap.h"
#include "preload/hooks/hooks.h"
#include "preload/log/log.h"
#include "preload/modes/serve/in_pass.h"
#include "preload/modes/serve/live.h"
#include "preload/modes/serve/stats_file.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "runtime/pass/arena.h"
#include "runtime/pass/workers.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/serving.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/accounts.h"
#include "runtime/slab/region.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kLeastSlab = std::uint64_t{1} << 25;  // bytes of the smallest region worth reserving
constinit bool g_has_address_space = false;                   // stays false in modes that do not serve
constexpr std::uint32_t kCallsBetweenLooks = 64;              // allocations of a thread that awaits a pass

constinit std::atomic<bool> g_said_that_no_pass_began{false};
thread_local constinit std::uint32_t t_awaiting __attribute__((tls_model("initial-exec"))) = 0;

// Returns the route of a thread outside of passes: the plain heap, unless passes begin at allocations.
Route route_outside() {
  return runtime::anchors_open_passes() || passes_may_come_by("period") ? Route::kAwaiting
                                                                        : Route::kPlainHeap;
}

// Returns the route of a thread that has had no pass yet: it may become a worker. A thread with passes of its
// own never does.
Route route_of_new_thread() {
  return runtime::workers_are_planned() ? Route::kAwaiting : route_outside();
}

// Brings the statistics up to date, where somebody may read them while the program runs.
void report_between_passes() {
  refresh_live_page_if_due();
  write_statistics_if_due(option_text(GuestOptionId::kStats));
}

// Begins a marked or hooked pass. Ignores it if the plan has anchors: such a plan was made from passes that
// begin at anchors, and other boundaries would split them.
void pass_begins(const BoundaryName&, std::uint64_t key, std::uintptr_t stack) {
  if (runtime::anchors_open_passes()) {
    if (!in_pass()) t_route = Route::kAwaiting;
    return;
  }
  const KeptErrno kept;
  runtime::pass_begin(key, reinterpret_cast<const void*>(stack));
  t_route = Route::kInPass;
}

void pass_ends(PassEnd how) {
  if (runtime::anchors_open_passes()) return;
  const KeptErrno kept;
  t_route = route_outside();
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

void loaded() {
  runtime::set_idle_heap_hook(heap::give_back_idle_and_count);
  if (std::strcmp(option_text(GuestOptionId::kAside), "never") != 0)
    runtime::measure_prices(
        heap::allocate, heap::release,
        option_mode() == Mode::kAuto ? runtime::WhoPlans::kLibrary : runtime::WhoPlans::kUser);
  write_statistics_every(option_number(GuestOptionId::kStatsEvery));
  runtime::set_lanes(static_cast<std::uint32_t>(option_number(GuestOptionId::kLanes)));
  const char* plan = option_text(GuestOptionId::kPlan);
  if (*plan != '\0' && g_has_address_space)
    runtime::watch_plan(plan,
                        option_mode() == Mode::kAuto ? runtime::Absent::kExpected : runtime::Absent::kSay);
  if (runtime::statistics().plans_loaded != 0) show_live_page();
  t_route = route_of_new_thread();
}

std::uintptr_t address_of(CallSite site) {
  return reinterpret_cast<std::uintptr_t>(site.address);
}

// Ends a pass that an anchor opened, where its plan has no slots left.
[[gnu::cold, gnu::noinline]] void close_pass() {
  const KeptErrno kept;
  runtime::pass_end();
  t_route = route_outside();
}

void* from_heap(std::size_t size, std::size_t alignment, AllocationKind kind) {
  if (kind == AllocationKind::kCalloc) return heap::allocate_zeroed(size);
  if (kind == AllocationKind::kAligned || alignment > kDefaultAlignment) {
    return heap::allocate_aligned(alignment, size);
  }
  return heap::allocate(size);
}

[[gnu::cold, gnu::noinline]] void open_pass(const runtime::Anchor& anchor) {
  const KeptErrno kept;
  runtime::pass_open(anchor.pass_key.load(std::memory_order_relaxed));
  t_route = Route::kInPass;
  runtime::anchor_was_met();
  report_between_passes();
}

bool worker_moves_on(CallSite site) {
  return runtime::worker_moves_on(address_of(site));
}

[[gnu::cold, gnu::noinline]] void move_worker_on(CallSite site) {
  const KeptErrno kept;
  const bool in_pass = runtime::move_worker_on(address_of(site));
  t_route = in_pass ? Route::kInPass : Route::kAwaiting;
}

// Opens or ends what an allocation opens or ends that does not belong to the running pass, or that no pass runs for.
void cross_boundary(std::size_t size, CallSite site) {
  if (!runtime::anchors_open_passes()) {
    if (!on_plain_heap() && worker_moves_on(site)) move_worker_on(site);
    return;
  }
  const runtime::Anchor* anchor = runtime::find_anchor(address_of(site), size);
  if (anchor != nullptr) return open_pass(*anchor);
  if (in_pass() && runtime::pass_is_used_up(address_of(site))) close_pass();
}

// Returns null where the heap shall serve, as all functions do that ask the arena.
[[gnu::noinline]] void* allocate_across_boundary(std::size_t size, std::size_t alignment, CallSite site) {
  cross_boundary(size, site);
  return in_pass() ? runtime::allocate_aligned(size, alignment, address_of(site)) : nullptr;
}

void* ask_arena(std::size_t size, std::size_t alignment, CallSite site) {
  const runtime::Answer answer = runtime::answer(size, alignment, address_of(site));
  if (answer.instead == runtime::Instead::kBoundary) [[unlikely]]
    return allocate_across_boundary(size, alignment, site);
  return answer.block;
}

// Does what ask_arena() does where nobody has tried the expected cell yet.
void* allocate_in_pass(std::size_t size, std::size_t alignment, CallSite site) {
  void* block;
  if (alignment <= kGranule && take_foreseen(size, site, &block)) return block;
  return ask_arena(size, alignment, site);
}

// Returns the block that the arena had, ready for the program, or one of the heap.
void* or_from_heap(void* block, std::size_t size, std::size_t alignment, AllocationKind kind) {
  if (block == nullptr) return from_heap(size, alignment, kind);
  return kind == AllocationKind::kCalloc ? std::memset(block, 0, size) : block;
}

void* allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  void* block =
      in_pass() ? allocate_in_pass(size, alignment, site) : allocate_across_boundary(size, alignment, site);
  return or_from_heap(block, size, alignment, kind);
}

void release(void* block, CallSite) {
  const KeptErrno kept;
  if (!runtime::release(block)) heap::release(block);
}

std::size_t usable_size(const void* block) {
  return runtime::owns(block) ? runtime::usable_size(block) : heap::usable_size(block);
}

// Resizes a block of the slab within its slot where it fits. Otherwise moves it to wherever an allocation of
// this size goes now. Moves a block of the heap into the slab if a pass resizes it and the plan has a slot for
// it.
void* reallocate(void* old, std::size_t size, CallSite site) {
  const bool planned = runtime::owns(old);
  if (planned && runtime::resize_in_place(old, size, address_of(site))) return old;
  if (!planned && !in_pass()) return heap::reallocate(old, size);
  void* fresh = planned ? allocate(size, kDefaultAlignment, AllocationKind::kMalloc, site)
                        : allocate_in_pass(size, 1, site);
  if (!planned && fresh == nullptr) return heap::reallocate(old, size);
  if (fresh == nullptr) return nullptr;
  const std::size_t held = usable_size(old);
  std::memcpy(fresh, old, held < size ? held : size);
  release(old, site);
  return fresh;
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

void say_that_no_pass_began() {
  if (g_said_that_no_pass_began.exchange(true, std::memory_order_relaxed)) return;
  log_trouble(
      "no pass of the plan has begun in many allocations: nothing in this program calls what opens one, so the heap serves; "
      "profile this program with --passes-by period and plan again: a plan put in the place of this one is taken up while the "
      "program runs");
}

// Writes the statistics and gives idle heap pages back: memory that the program freed at its end makes room for
// pages that its destructors touch.
void finish() {
  if (runtime::passes_never_came()) say_that_no_pass_began();
  write_statistics(option_text(GuestOptionId::kStats));
  finish_live_page();
  heap::give_back_idle();
}

}  // namespace

namespace {

// Looks for another plan, and reports that the present one serves nothing: where no pass ever begins, no other
// code would. Costs a clock reading, and a stat twice a second.
[[gnu::cold, gnu::noinline]] void look_while_awaiting() {
  const KeptErrno kept;
  runtime::look_after_plans();
  if (runtime::passes_are_missed_after(kCallsBetweenLooks)) say_that_no_pass_began();
}

// Returns true if the thread awaits an anchor or a worker's pass and this allocation opens neither, as most
// allocations of threads that never run a pass.
bool opens_nothing(std::size_t size, CallSite site) {
  if (t_route != Route::kAwaiting) return false;
  if (++t_awaiting % kCallsBetweenLooks == 0) look_while_awaiting();
  if (!runtime::anchors_open_passes()) return !worker_moves_on(site);
  return runtime::find_anchor(address_of(site), size) == nullptr;
}

}  // namespace

void* allocate_unforeseen(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (in_pass()) return or_from_heap(ask_arena(size, alignment, site), size, alignment, kind);
  if (opens_nothing(size, site)) return from_heap(size, alignment, kind);
  return routed_allocate(size, alignment, kind, site);
}

void release_unforeseen(void* block, CallSite site) {
  if (!runtime::release_large(block)) routed_release(block, site);
}

// Refuses where no region was reserved, as in modes that do not serve: frees are watched in that range only, so
// no slab may appear later.
bool load_plan(const char* path) {
  return g_has_address_space && runtime::serve_plan(path);
}

constexpr BoundarySink kServeSink{pass_begins, pass_ends, nullptr, nullptr, objects_loaded};

constexpr Backend kServeBackend{
    .find_first_route = route_of_new_thread,
    .start = start,
    .loaded = loaded,
    .allocate = allocate,
    .reallocate = reallocate,
    .release = release,
    .usable_size = usable_size,
    .before_fork = runtime::before_fork,
    .after_fork_in_parent = after_fork_in_parent,
    .begin_as_copy = begin_as_copy,
    .keep_own_in_copy = keep_own_shadow_in_copy,
    .finish = finish,
};

}  // namespace memo::guest
