#include "preload/modes/auto/learn.h"

#include <sys/stat.h>
#include <time.h>

#include <cstring>
#include <iterator>

#include "preload/boundaries/boundary.h"
#include "preload/log/log.h"
#include "preload/modes/auto/own_planner.h"
#include "preload/modes/auto/recording_claim.h"
#include "preload/modes/auto/room_to_learn.h"
#include "preload/modes/auto/schedule.h"
#include "preload/modes/profile/recorder.h"
#include "preload/modes/serve/in_pass.h"
#include "preload/modes/serve/live.h"
#include "preload/modes/serve/serve.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/identity.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/serving.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/region.h"

namespace memo::guest {
namespace {

constexpr std::uint32_t kCallsBetweenLooks = 1024;                 // allocations of one thread
constexpr std::uint64_t kCallsBeforeAll = std::uint64_t{1} << 16;  // a shell makes fewer, a server more
constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 24;       // allocations without a pass or a plan
constexpr std::int64_t kBetweenAsking = 200;                       // milliseconds, for a claim that is taken
constexpr std::int64_t kBetweenRenewals = 1000;                    // milliseconds
constexpr std::int64_t kFreshSeconds = 2;

thread_local constinit std::uint32_t t_calls __attribute__((tls_model("initial-exec"))) = 0;

bool g_recording = true;
bool g_all = false;             // record everything, until a pass is marked
bool g_marked = false;          // a marked or hooked pass was seen
bool g_for_good = false;        // never learn again: told to learn once, no planner, no memory
bool g_claimed = false;         // this process holds the claim to record, and its planner runs
bool g_awaits = false;          // it still holds the claim, until its plan comes
bool g_lost_claim = false;      // another process has taken it over since the trace began
bool g_anew = false;            // what is recorded next needs a trace of its own
bool g_due = false;             // the schedule wants a recording
std::int64_t g_next_claim = 0;  // milliseconds_now(), to ask for the claim or to renew it
bool g_deciding = false;        // held by the one thread that decides
std::uint64_t g_calls = 0;  // allocations recorded while no pass was marked, in steps of kCallsBetweenLooks
std::uint64_t g_plans = 0;  // plans taken up when a thread last looked
constinit Schedule g_schedule;
std::uint32_t g_begun[256];  // passes begun until warm, by the last bits of their name's number

template <typename T>
T read(const T& value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}

bool recording() {
  return __atomic_load_n(&g_recording, __ATOMIC_ACQUIRE);
}

bool has_plan() {
  return runtime::g_plan.load(std::memory_order_acquire) != nullptr;
}

// ---- what to do next ----

// Lets one thread at a time decide. No thread waits: a second one leaves the decision to the first.
class Decision {
 public:
  Decision() : mine_(!__atomic_exchange_n(&g_deciding, true, __ATOMIC_ACQUIRE)) {}
  ~Decision() {
    if (mine_) __atomic_store_n(&g_deciding, false, __ATOMIC_RELEASE);
  }
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;
  [[nodiscard]] bool is_mine() const { return mine_; }

 private:
  const bool mine_;
};

std::int64_t milliseconds_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

std::int64_t seconds_now() {
  return milliseconds_now() / 1000;
}

// Returns false in a dry run, in which no plan ever serves.
bool awaits_plan() {
  return *option_text(GuestOptionId::kPlan) != '\0';
}

// Returns true for the misses that another plan might avoid. Those without any plan say nothing about a plan.
bool plan_could_change(std::uint32_t reason) {
  switch (static_cast<runtime::Reason>(reason)) {
    case runtime::Reason::kNoPlan:
      return !awaits_plan();
    case runtime::Reason::kUnknownSite:
    case runtime::Reason::kUnexpected:
    case runtime::Reason::kTooBig:
    case runtime::Reason::kAlignment:
    case runtime::Reason::kGaveUp:
      return true;
    default:
      return false;
  }
}

std::uint64_t count(const std::atomic<std::uint64_t>& counter) {
  return counter.load(std::memory_order_relaxed);
}

PassCounts count_passes() {
  const runtime::Statistics& statistics = runtime::statistics();
  PassCounts counts{.planned = has_plan() || !awaits_plan(),
                    .passes = count(statistics.passes),
                    .served = count(statistics.served),
                    .served_bytes = count(statistics.served_bytes),
                    .missed = 0,
                    .beyond_plans = 0,
                    .missed_bytes = count(statistics.fallback_bytes)};
  for (std::uint32_t reason = 0; reason < runtime::kReasonCount; ++reason) {
    (plan_could_change(reason) ? counts.missed : counts.beyond_plans) += count(statistics.fallback[reason]);
  }
  return counts;
}

// Sets the state, and shows it at once to whoever watches from outside.
void enter_state(const char* state) {
  runtime::set_state(state);
  refresh_live_page();
}

std::uint64_t plans_taken_up() {
  return count(runtime::statistics().plans_loaded);
}

void say_what_serves() {
  if (has_plan()) {
    enter_state("serving");
    log_note("auto: serving from ", option_text(GuestOptionId::kPlan));
  } else if (no_planner()) {
    enter_state("no planner");
  } else if (read(g_marked)) {
    enter_state("planning");
    log_note("auto: recorded enough; the heap serves until there is a plan at ",
             option_text(GuestOptionId::kPlan));
  } else {
    enter_state("nothing to learn");
    log_note("auto: no pass was seen, and no plan came in ", static_cast<unsigned long>(kMostCalls),
             " allocations; the heap serves");
  }
}

// ---- the claim to record ----

claim::Work present_work() {
  return read(g_marked) ? claim::Work::kPasses : claim::Work::kEverything;
}

// Returns false, too, in a task that shares the memory of this process under another number.
bool is_time_for_claim(std::int64_t pause) {
  const std::int64_t now = milliseconds_now();
  if (now < read(g_next_claim) || !runtime::runs_in_own_process()) return false;
  __atomic_store_n(&g_next_claim, now + pause, __ATOMIC_RELAXED);
  return true;
}

void give_up_own_claim() {
  if (!g_claimed && !g_awaits) return;
  __atomic_store_n(&g_claimed, false, __ATOMIC_RELAXED);
  g_awaits = false;
  runtime::on_spare_stack(give_up_claim);
}

// Keeps the other processes from recording the same passes while the planner works.
void await_plan() {
  __atomic_store_n(&g_claimed, false, __ATOMIC_RELAXED);
  g_awaits = renew_claim(claim::Work::kAwaitsThePlan);
}

// Returns true if a plan came within the last seconds: this process will look at it before long. The one that
// recorded has taken it up already, and has given up the claim.
bool has_fresh_plan() {
  struct stat about {};
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return stat(option_text(GuestOptionId::kPlan), &about) == 0 && about.st_mtime <= now.tv_sec &&
         about.st_mtime + kFreshSeconds >= now.tv_sec;
}

// Returns true if this process may record from now on.
bool take_claim() {
  if (has_fresh_plan()) return false;
  const Claimed claimed = claim_recording(present_work());
  if (claimed == Claimed::kTaken) return false;
  if (claimed == Claimed::kNoFolder && planner_has_ended()) {
    g_anew = g_lost_claim;
    return false;
  }
  g_awaits = false;
  return true;
}

// Begins the first recording of this process, or goes on with it: marked passes that were recorded before the
// claim was lost stay in the trace. A new trace is needed where a planner has removed the old one, and where
// that one has allocations outside of passes: after a gap they would show wrong lifetimes.
void claim_first_recording() {
  if (!take_claim()) return enter_state("waiting to learn");
  if (g_anew && !resume_recording()) return give_up_claim();
  if (!g_lost_claim) runtime::add(runtime::statistics().recordings, 1);
  g_lost_claim = g_anew = false;
  enter_state("learning");
  __atomic_store_n(&g_claimed, true, __ATOMIC_RELAXED);
}

// Stops recording. The thread goes on looking for a plan, and for its turn.
void lose_claim() {
  __atomic_store_n(&g_claimed, false, __ATOMIC_RELAXED);
  g_lost_claim = true;
  g_anew = !read(g_marked);
  record_passes_alone();
  __atomic_store_n(&g_all, false, __ATOMIC_RELAXED);
  log_note("auto: another process of this program records from here on");
  enter_state("waiting to learn");
}

void renew_own_claim() {
  if (!renew_claim(present_work())) lose_claim();
}

void take_note_of_plan() {
  give_up_own_claim();
  g_due = false;
  __atomic_store_n(&g_plans, plans_taken_up(), __ATOMIC_RELAXED);
  g_for_good = g_for_good || std::strcmp(option_text(GuestOptionId::kLearn), "once") == 0;
  g_schedule.begin_window(count_passes());
}

bool has_recorded_enough() {
  if (read(g_marked)) return passes_recorded() >= g_schedule.most_passes();
  return read(g_calls) >= kMostCalls;
}

void end_recording() {
  __atomic_store_n(&g_recording, false, __ATOMIC_RELEASE);
  stop_recording(nullptr);
  forget_blocks();
  g_schedule.recorded(passes_recorded(), count_passes(), seconds_now());
  const bool planned = plans_taken_up() != g_plans;
  if (planned) take_note_of_plan();
  if (!awaits_plan()) g_schedule.begin_window(count_passes());
  const bool complete = awaits_plan() && !planned && !g_for_good && read(g_marked) && has_recorded_enough();
  complete ? await_plan() : give_up_own_claim();
  say_what_serves();
}

// Returns false as long as no planner would read the trace.
bool is_planned_for() {
  if (has_planner()) return true;
  if (no_planner()) g_for_good = true;
  return false;
}

const char* reason_to_learn_again() {
  if (has_plan()) return "less than 90 % of the last passes was served";
  return awaits_plan() ? "no plan came of the last recording" : "this is a dry run";
}

void begin_recording() {
  if (!is_planned_for() || !is_time_for_claim(kBetweenAsking) || !take_claim()) return;
  if (!resume_recording()) return give_up_claim();
  g_due = g_lost_claim = g_anew = false;
  __atomic_store_n(&g_claimed, true, __ATOMIC_RELAXED);
  enter_state(has_plan() ? "learning again" : "learning");
  runtime::add(runtime::statistics().recordings, 1);
  log_note("auto: ", reason_to_learn_again(), "; learning again, for ",
           static_cast<unsigned long>(g_schedule.most_passes()), " passes at most");
  __atomic_store_n(&g_recording, true, __ATOMIC_RELEASE);
}

// Returns true if this process may record now: a planner reads its traces, and no other process of the family
// records. Costs one load in the process that records, and a clock reading in the others.
bool may_record() {
  if (read(g_claimed)) return true;
  if (!is_planned_for()) return false;
  const KeptErrno kept;
  const Decision decision;
  if (decision.is_mine() && recording() && is_time_for_claim(kBetweenAsking))
    runtime::on_spare_stack(claim_first_recording);
  return read(g_claimed);
}

// Looks for a plan, and ends the recording when it is time. Costs two clock readings, and twice a second a stat.
[[gnu::cold, gnu::noinline]] void look_while_recording() {
  const KeptErrno kept;
  runtime::look_after_plans();
  if (read(g_marked) || read(g_all)) refresh_live_page_if_due();
  const Decision decision;
  if (!decision.is_mine() || !recording()) return;
  const bool short_of_memory = memory_runs_short();
  g_for_good = g_for_good || short_of_memory;
  if (g_claimed && is_time_for_claim(kBetweenRenewals)) runtime::on_spare_stack(renew_own_claim);
  if (short_of_memory || plans_taken_up() != g_plans || has_recorded_enough() || !is_recording() ||
      no_planner())
    runtime::on_spare_stack(end_recording);
}

[[gnu::cold, gnu::noinline]] void judge_passes() {
  const KeptErrno kept;
  const Decision decision;
  if (!decision.is_mine() || recording()) return;
  if (plans_taken_up() != g_plans) {
    take_note_of_plan();
    runtime::on_spare_stack(say_what_serves);
  } else if (g_for_good) {
    g_schedule.begin_window(count_passes());
  } else if (g_due = g_due || g_schedule.is_due(count_passes(), seconds_now()); g_due) {
    runtime::on_spare_stack(begin_recording);
  }
}

// Runs between two passes. Costs three loads while the passes are served well.
void look_between_passes() {
  if (!runtime::is_settled_here()) return;
  if (recording()) return look_while_recording();
  if (plans_taken_up() != read(g_plans) || g_schedule.has_window(count(runtime::statistics().passes)))
    judge_passes();
}

// Runs every kCallsBetweenLooks allocations of a thread while no pass is marked. Starts recording everything
// once the program has made so many allocations that it is no shell.
[[gnu::cold, gnu::noinline]] void look_between_calls() {
  if (!runtime::is_settled_here()) return;
  const std::uint64_t calls = __atomic_add_fetch(&g_calls, kCallsBetweenLooks, __ATOMIC_RELAXED);
  const bool all = calls >= kCallsBeforeAll && !read(g_marked) && may_record();
  if (all && !__atomic_exchange_n(&g_all, true, __ATOMIC_RELAXED)) record_all_until_marked();
  look_while_recording();
}

// ---- passes ----

// Returns true if the arena serves the calling thread. A pass that the arena began ends there, even if a
// recording has begun meanwhile.
bool serves_this_thread() {
  return !recording() || in_pass();
}

// Returns the route of a thread outside of passes. Once a marked or hooked pass was seen, the recorder ignores
// allocations outside of passes.
Route route_outside() {
  return recording() && !read(g_marked) ? kProfileBackend.first_route : kServeBackend.find_first_route();
}

// Returns true for the first passes of each function, which are not recorded. They make things that later
// passes use, a JIT with a hundred times as many allocations; none of that recurs, and it is slow enough
// without being recorded.
bool warms_up(const BoundaryName& name) {
  std::uint32_t& begun = g_begun[name.id % std::size(g_begun)];
  return read(begun) < kUnrecordedPasses &&
         __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED) < kUnrecordedPasses;
}

// Lets the process ask for the claim again at once: passes give it precedence.
void see_first_pass() {
  __atomic_store_n(&g_marked, true, __ATOMIC_RELAXED);
  __atomic_store_n(&g_next_claim, std::int64_t{0}, __ATOMIC_RELAXED);
}

void pass_begins(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack) {
  if (!read(g_marked) && !runtime::anchors_open_passes()) see_first_pass();
  look_between_passes();
  if (recording() && warms_up(name)) {
    t_route = route_outside();
    return;
  }
  if (!recording() || !may_record()) return kServeSink.pass_begin(name, key, stack);
  t_route = kProfileBackend.first_route;
  kRecorderSink.pass_begin(name, key, stack);
}

// Tells both sides, since either the recorder or the arena may have begun the pass.
void pass_ends(PassEnd how) {
  kRecorderSink.pass_end(how);
  if (serves_this_thread()) return kServeSink.pass_end(how);
  t_route = route_outside();
}

void scope_begins(const BoundaryName& name) {
  if (!serves_this_thread()) kRecorderSink.scope_begin(name);
}

void scope_ends(const BoundaryName& name) {
  if (!serves_this_thread()) kRecorderSink.scope_end(name);
}

void objects_loaded() {
  kServeSink.objects_loaded();
}

constexpr BoundarySink kSink{pass_begins, pass_ends, scope_begins, scope_ends, objects_loaded};

// ---- the backend ----

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
  set_boundary_sink(&kSink);
  enter_state("learning");
  log_note("auto: learning until there is a plan at ", option_text(GuestOptionId::kPlan));
  return true;
}

// Stops the recording for good and drops its blocks, where there is no memory to learn.
void learn_nothing() {
  stop_recording(nullptr);
  __atomic_store_n(&g_recording, false, __ATOMIC_RELEASE);
  g_for_good = true;
  forget_blocks();
  if (!has_plan()) enter_state("no room to learn");
}

void loaded() {
  kServeBackend.loaded();
  if (!has_memory_to_learn()) learn_nothing();
  t_route = route_outside();
  if (!recording()) {
    g_plans = plans_taken_up();
  } else if (plans_taken_up() != 0) {
    end_recording();
  }
}

// Gives the thread its route of mode serve. Replaces kPlainHeap too: the recorder sets that route for a thread
// that was inside it when it stopped.
void leave_recorded_route() {
  if (t_route == Route::kRecorded || t_route == Route::kPlainHeap) t_route = kServeBackend.find_first_route();
}

// Ends the thread's pass, if an anchor opened it: its only other end would be the next anchor, at which the
// recording thread does not look.
void leave_anchored_pass() {
  if (!runtime::anchors_open_passes()) return;
  runtime::pass_end();
  t_route = Route::kRecorded;
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
  if (!read(g_marked) && ++t_calls % kCallsBetweenLooks == 0) look_between_calls();
  if (!recording()) return allocate_served(size, alignment, kind, site);
  void* block = kProfileBackend.allocate(size, alignment, kind, site);
  if (!recording()) leave_recorded_route();
  return block;
}

// Moves a block of the slab to wherever an allocation of this size goes now.
void* move_out_of_slab(void* old, std::size_t size, CallSite site) {
  void* fresh = allocate(size, kDefaultAlignment, AllocationKind::kMalloc, site);
  if (fresh == nullptr) return nullptr;
  const std::size_t held = runtime::usable_size(old);
  std::memcpy(fresh, old, held < size ? held : size);
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

// Lets a child process learn by itself: while there is no plan it waits for its turn to record. A child whose
// parent has a plan serves from it. The passes that have warmed up in the parent are warm in the child.
void begin_as_copy() {
  kProfileBackend.begin_as_copy();
  kServeBackend.begin_as_copy();
  stop_recording(nullptr);
  record_passes_alone();
  look_for_planner_in_copy();
  g_all = g_deciding = g_claimed = g_awaits = g_lost_claim = g_anew = g_due = false;
  g_calls = 0;
  g_next_claim = 0;
  g_schedule = Schedule{};
  g_plans = plans_taken_up();
  g_recording = !has_plan() && !g_for_good && resume_recording();
  enter_state(has_plan() ? "serving" : g_recording ? "learning" : "planning");
}

// Lets the thread look for its turn to record where its parent had given that up.
void keep_own_in_copy() {
  kProfileBackend.keep_own_in_copy();
  if (recording() && t_route == Route::kPlainHeap) t_route = route_outside();
}

void finish() {
  kProfileBackend.finish();
  kServeBackend.finish();
  if (runtime::is_settled_here() && g_claimed) give_up_own_claim();
}

}  // namespace

constexpr Backend kAutoBackend{
    .find_first_route = route_outside,
    .start = start,
    .loaded = loaded,
    .allocate = allocate,
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
