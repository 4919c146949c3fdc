#include "preload/modes/auto/passes.h"

#include <cstdint>
#include <iterator>

#include "preload/modes/auto/kept_worth.h"
#include "preload/modes/auto/learning.h"
#include "preload/modes/auto/looks.h"
#include "preload/modes/auto/own_planner.h"
#include "preload/modes/auto/pass_counts.h"
#include "preload/modes/auto/recording_claim.h"
#include "preload/modes/profile/recorder.h"
#include "preload/modes/profile/recorder_sink.h"
#include "preload/modes/serve/serve.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "runtime/formats/guest_options.h"
#include "runtime/pass/arena.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

std::uint32_t g_begun[256];  // passes begun until warm, by the last bits of their name's number

// Returns true if the arena serves the calling thread. A pass that the arena began ends there, even if a
// recording has begun meanwhile.
bool serves_this_thread() {
  return !recording() || runtime::is_in_pass();
}

// Returns true for the first passes of each function, which are not recorded. They make things that later
// passes use, a JIT with a hundred times as many allocations; none of that recurs, and it is slow enough
// without being recorded.
bool warms_up(const BoundaryName& name) {
  std::uint32_t& begun = g_begun[name.id % std::size(g_begun)];
  return read_relaxed(begun) < kUnrecordedPasses &&
         __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED) < kUnrecordedPasses;
}

// Lets a stranger learn and serve, unless the program itself marks passes: then it goes on as in mode off for good.
void join_program() {
  Learning& learning = g_learning;
  learning.for_good = runtime::on_spare_stack(program_marks);
  if (learning.for_good) return;
  runtime::on_spare_stack(watch_withheld_plan);
  runtime::on_spare_stack(take_over_what_was_found);
  learning.plans = plans_taken_up();
}

// Lets the process ask for the claim again at once: passes give it precedence. Marked passes win over those that were found by
// their period: where such ones are served, or looked for later, recording is due.
[[gnu::cold, gnu::noinline]] void see_first_pass() {
  const KeptErrno kept;
  if (g_learning.stranger)
    join_program();
  else if (*option_text(GuestOptionId::kProgram) != '\0')
    runtime::on_spare_stack(say_that_program_marks);
  const bool looked_for = read_relaxed(g_learning.rests) || runtime::anchors_open_passes() ||
                          (g_learning.stranger && !has_plan());
  write_relaxed(g_learning.due, looked_for && !recording());
  write_relaxed(g_learning.rests, false);
  write_relaxed(g_learning.marked, true);
  g_learning.claim.ask_at_once();
}

void pass_begins(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack, std::uintptr_t object) {
  if (!has_marked_passes()) see_first_pass();
  look_between_passes();
  if (recording()) leave_anchored_pass();
  if (recording() && (warms_up(name) || !g_learning.price.may_record())) {
    t_route = auto_route_outside();
    runtime::t_self.ignores_operators = true;
    return;
  }
  if (!recording() || !may_record()) return kServeSink.pass_begin(name, key, stack, object);
  t_route = kProfileBackend.first_route;
  kRecorderSink.pass_begin(name, key, stack, object);
}

// Tells both sides, since either the recorder or the arena may have begun the pass.
void pass_ends(PassEnd how) {
  kRecorderSink.pass_end(how);
  if (serves_this_thread()) return kServeSink.pass_end(how);
  t_route = auto_route_outside();
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

}  // namespace

void leave_anchored_pass() {
  if (!runtime::anchors_open_passes()) return;
  runtime::pass_end();
  t_route = Route::kRecorded;
}

Route auto_route_outside() {
  return recording() && !has_marked_passes() ? kProfileBackend.first_route : kServeBackend.find_first_route();
}

Route auto_route_of_new_thread() {
  return recording() ? kProfileBackend.first_route : kServeBackend.find_first_route();
}

constexpr BoundarySink kAutoSink{pass_begins, pass_ends, scope_begins, scope_ends, objects_loaded};

}  // namespace memo::guest
