#include "preload/modes/serve/between_passes.h"

#include <atomic>

#include "preload/hooks/hooks.h"
#include "preload/log/log.h"
#include "preload/log/speaker.h"
#include "preload/modes/serve/live.h"
#include "preload/modes/serve/stats_file.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "preload/route/route.h"
#include "runtime/pass/arena.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/clock.h"
#include "runtime/serving/idle_lanes.h"
#include "runtime/serving/plan_watch.h"

namespace memo::guest {

namespace {

constinit std::atomic<bool> g_said_that_no_pass_began{false};

}  // namespace

Route route_outside() {
  return runtime::anchors_open_passes() || passes_may_come_by("period") ? Route::kAwaiting
                                                                        : Route::kPlainHeap;
}

void look_where_no_pass_begins() {
  if (!on_plain_heap() || runtime::is_in_pass()) return;
  const KeptErrno kept;
  runtime::look_after_plans();
  release_what_is_due();
  t_route = route_outside();
}

[[gnu::cold, gnu::noinline]] void look_while_awaiting(std::uint32_t calls) {
  const KeptErrno kept;
  runtime::look_after_plans();
  release_what_is_due();
  if (runtime::passes_are_missed_after(calls)) say_that_no_pass_began();
}

void release_what_is_due() {
  runtime::release_what_is_idle(runtime::coarse_nanoseconds_now());
  release_if_asked();
}

void report_between_passes() {
  release_what_is_due();
  refresh_live_page_if_due();
  write_statistics_if_due(option_text(GuestOptionId::kStats));
}

// Is trouble of the program that was started alone: its helpers load the plan, too, and the passes in it are not theirs. In mode auto
// it is none: such a program is learned anew.
void say_that_no_pass_began() {
  if (g_said_that_no_pass_began.exchange(true, std::memory_order_relaxed)) return;
  log_line(
      may_speak() && option_mode() != Mode::kAuto ? LogLevel::kTrouble : LogLevel::kNote,
      "no pass of the plan has begun in many allocations: the heap serves until one does; if requests were answered, the "
      "plan is of another program or build: `memomalloc inspect PLAN`");
}

}  // namespace memo::guest
