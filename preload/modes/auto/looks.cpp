#include "preload/modes/auto/looks.h"

#include <cstdint>

#include "preload/modes/auto/coarse_clock.h"
#include "preload/modes/auto/kept_worth.h"
#include "preload/modes/auto/learning.h"
#include "preload/modes/auto/own_planner.h"
#include "preload/modes/auto/pass_counts.h"
#include "preload/modes/auto/recordings.h"
#include "preload/modes/auto/room_to_learn.h"
#include "preload/modes/auto/unused_plan.h"
#include "preload/modes/profile/own_cost.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/serve/live.h"
#include "preload/platform/kept_errno.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/effort.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/platform/ticks.h"
#include "runtime/platform/try_flag.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/plan_watch.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kWorthAReading = 1U << 18;  // ticks of the recorder

// What the recorder touches takes the place of what the program had in its caches: for each second of the recorder's, the
// program takes half a second longer (measured on maps of strings).
constexpr double kWithWhatItEvicts = 1.5;

// One moment on the processor's counter and on the clock. Where they stand apart later on says how long a tick is.
struct Moment {
  std::uint64_t ticks;
  std::int64_t nanoseconds;
};
constinit Moment g_first{};

Moment moment_now() {
  return {runtime::ticks_now(), runtime::nanoseconds_now()};
}

std::int64_t nanoseconds_of(std::uint64_t ticks) {
  const Moment now = moment_now();
  const auto between = static_cast<double>(now.ticks - g_first.ticks);
  if (between == 0) return 0;
  return static_cast<std::int64_t>(static_cast<double>(ticks) * kWithWhatItEvicts *
                                   static_cast<double>(now.nanoseconds - g_first.nanoseconds) / between);
}

// Returns true if enough has happened since the last reading.
bool is_due(std::uint64_t ticks) {
  static constinit std::uint64_t last_ticks = 0;
  static constinit std::int64_t last_millisecond = 0;
  const std::int64_t now = milliseconds_now();
  if (now == last_millisecond && ticks - last_ticks < kWorthAReading) return false;
  last_ticks = ticks;
  last_millisecond = now;
  return true;
}

// Brings g_learning.price up to date, for the one thread that decides. Costs two loads, and every few milliseconds, or after a
// tenth of a millisecond of the recorder's, a system call.
void bring_price_up_to_date() {
  const std::uint64_t ticks = ticks_of_recorder();
  if (!is_due(ticks)) return;
  if (g_first.nanoseconds == 0) g_first = moment_now();
  g_learning.price.account(nanoseconds_of(ticks), runtime::nanoseconds_worked());
}

constexpr std::uint64_t kCallsBeforeAll = std::uint64_t{1} << 16;  // a shell makes fewer, a server more

// Returns true if recording costs too much. Marked passes rest one by one (passes.cpp), before the recording does.
bool costs_too_much() {
  const Price& price = g_learning.price;
  return has_marked_passes() ? price.is_far_over() : !price.may_record();
}

// Returns true if passes of the plan have begun after all.
bool plan_is_used_after_all() {
  return g_learning.anew && has_marked_passes() && has_plan() && !runtime::anchors_open_passes();
}

// Looks for a plan, and ends the recording when it is time. Costs two clock readings, and twice a second a stat.
[[gnu::cold, gnu::noinline]] void look_while_recording() {
  const KeptErrno kept;
  runtime::look_after_plans();
  if (has_marked_passes() || read_relaxed(g_learning.everything)) refresh_live_page_if_due();
  const runtime::HeldFlag decision(g_learning.deciding);
  if (!decision.is_mine() || !recording()) return;
  const bool short_of_memory = memory_runs_short();
  g_learning.for_good = g_learning.for_good || short_of_memory;
  if (g_learning.claim.records() && g_learning.claim.is_time_to_renew(milliseconds_now()))
    runtime::on_spare_stack(renew_own_claim);
  if (short_of_memory || plans_taken_up() != g_learning.plans || has_recorded_enough() || !is_recording() ||
      no_planner() || plan_is_used_after_all())
    return runtime::on_spare_stack(end_recording);
  bring_price_up_to_date();
  if (costs_too_much()) runtime::on_spare_stack(rest_from_recording);
}

[[gnu::cold, gnu::noinline]] void judge_passes() {
  const KeptErrno kept;
  const runtime::HeldFlag decision(g_learning.deciding);
  Learning& learning = g_learning;
  if (!decision.is_mine() || recording()) return;
  if (plans_taken_up() != learning.plans) {
    take_note_of_plan();
    runtime::on_spare_stack(say_what_serves);
  } else if (learning.for_good) {
    learning.schedule.begin_window(count_passes());
  } else if (learning.due = learning.due || learning.schedule.is_due(count_passes(), seconds_now());
             learning.due) {
    runtime::on_spare_stack(begin_recording);
  }
}

[[gnu::cold, gnu::noinline]] void keep_findings_of_passes() {
  const KeptErrno kept;
  const runtime::HeldFlag decision(g_learning.deciding);
  if (decision.is_mine()) runtime::on_spare_stack(keep_what_was_found);
}

}  // namespace

void look_between_passes() {
  if (!runtime::is_settled_here()) return;
  if (has_found_more()) keep_findings_of_passes();
  if (recording()) return look_while_recording();
  if (plans_taken_up() != read_relaxed(g_learning.plans) || read_relaxed(g_learning.due) ||
      g_learning.schedule.has_window(passes_served()))
    judge_passes();
}

[[gnu::cold, gnu::noinline]] void look_between_calls() {
  if (!runtime::is_settled_here()) return;
  const std::uint64_t calls = count_up(g_learning.calls, kCallsBetweenLooks);
  const bool all = calls >= kCallsBeforeAll && !has_marked_passes() && may_record();
  if (all && !__atomic_exchange_n(&g_learning.everything, true, __ATOMIC_RELAXED)) record_all_until_marked();
  look_while_recording();
}

[[gnu::cold, gnu::noinline]] void look_at_rest() {
  Learning& learning = g_learning;
  if (learning.for_good || learning.price.has_ended()) return;
  const runtime::HeldFlag decision(g_learning.deciding);
  if (!decision.is_mine() || recording() || has_marked_passes()) return;
  if (!learning.rests && !learning.anew && plan_is_unused()) learning.anew = learning.rests = true;
  if (!learning.rests) return;
  bring_price_up_to_date();
  if (learning.price.may_begin_stretch()) runtime::on_spare_stack(begin_stretch);
}

bool may_record() {
  if (g_learning.claim.records()) return true;
  if (!is_planned_for()) return false;
  const KeptErrno kept;
  const runtime::HeldFlag decision(g_learning.deciding);
  if (decision.is_mine() && recording() && g_learning.claim.is_time_to_ask(milliseconds_now()))
    runtime::on_spare_stack(claim_first_recording);
  return g_learning.claim.records();
}

}  // namespace memo::guest
