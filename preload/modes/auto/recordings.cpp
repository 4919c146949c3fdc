#include "preload/modes/auto/recordings.h"

#include <cstdint>
#include <cstring>

#include "preload/log/log.h"
#include "preload/modes/auto/coarse_clock.h"
#include "preload/modes/auto/learning.h"
#include "preload/modes/auto/own_planner.h"
#include "preload/modes/auto/pass_counts.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/serve/operator_hooks.h"
#include "preload/options/options.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/file_facts.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/skipping.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 24;  // allocations without a pass or a plan
constexpr std::int64_t kFreshSeconds = 2;

claim::Work present_work() {
  if (g_learning.stranger) return claim::Work::kPassesOfAnother;
  return has_marked_passes() ? claim::Work::kPasses : claim::Work::kEverything;
}

// Returns true if a plan came within the last seconds: this process will look at it before long. The one that
// recorded has taken it up already, and has given up the claim.
bool has_fresh_plan() {
  runtime::FileFacts about;
  if (!runtime::look_at(option_text(GuestOptionId::kPlan), &about)) return false;
  const std::int64_t changed = about.changed / runtime::kSecond;
  const std::int64_t now = runtime::nanoseconds_since_1970() / runtime::kSecond;
  return changed <= now && changed + kFreshSeconds >= now;
}

// Returns true if this process may record from now on.
bool take_claim() {
  return !has_fresh_plan() && g_learning.claim.take(present_work());
}

const char* reason_to_learn_again() {
  if (has_plan()) return "less than 90 % of the last passes was served";
  return awaits_plan() ? "no plan came of the last recording" : "this is a dry run";
}

}  // namespace

void claim_first_recording() {
  OwnClaim& claim = g_learning.claim;
  if (!take_claim()) return enter_state("waiting to learn");
  if (claim.needs_new_trace() && !resume_recording()) return claim.give_up();
  have_operators_hooked();
  if (!claim.has_gap()) runtime::add(runtime::statistics().recordings, 1);
  enter_state("learning");
  claim.record();
}

void renew_own_claim() {
  if (g_learning.claim.renew(present_work())) return;
  record_passes_alone();
  write_relaxed(g_learning.everything, false);
  log_note("auto: another process of this program records from here on");
  enter_state("waiting to learn");
}

bool has_recorded_enough() {
  if (has_marked_passes()) return passes_recorded() >= g_learning.schedule.most_passes();
  return read_relaxed(g_learning.calls) >= kMostCalls;
}

// Asks for a recording at once where the plan is of passes found by their period, and the program marks some.
void take_note_of_plan() {
  Learning& learning = g_learning;
  learning.claim.give_up();
  learning.due = has_marked_passes() && runtime::anchors_open_passes();
  write_relaxed(learning.plans, plans_taken_up());
  learning.for_good = learning.for_good || std::strcmp(option_text(GuestOptionId::kLearn), "once") == 0;
  learning.schedule.begin_window(count_passes());
}

void say_what_serves() {
  if (has_plan()) {
    enter_state("serving");
    log_note("auto: serving from ", option_text(GuestOptionId::kPlan));
  } else if (no_planner()) {
    enter_state("no planner");
  } else if (has_marked_passes()) {
    enter_state("planning");
    log_note("auto: recorded enough; the heap serves until there is a plan at ",
             option_text(GuestOptionId::kPlan));
  } else {
    enter_state("nothing to learn");
    log_note("auto: no pass was seen, and no plan came in ", static_cast<unsigned long>(kMostCalls),
             " allocations; the heap serves");
  }
}

void end_recording() {
  Learning& learning = g_learning;
  set_recording(false);
  stop_recording(nullptr);
  forget_blocks();
  learning.schedule.recorded(passes_recorded(), count_passes(), seconds_now());
  const bool planned = plans_taken_up() != learning.plans;
  if (planned) take_note_of_plan();
  if (!awaits_plan()) learning.schedule.begin_window(count_passes());
  const bool complete =
      awaits_plan() && !planned && !learning.for_good && has_marked_passes() && has_recorded_enough();
  complete ? learning.claim.await_plan() : learning.claim.give_up();
  say_what_serves();
}

// Gives the claim up, so that other processes of the tree may record meanwhile: each has a price of its own.
void rest_from_recording() {
  if (has_marked_passes()) return end_recording();
  Learning& learning = g_learning;
  set_recording(false);
  stop_recording(nullptr);
  forget_blocks();
  learning.claim.give_up();
  learning.price.end_stretch();
  write_relaxed(learning.everything, false);
  write_relaxed(learning.rests, true);
  if (!has_plan())
    enter_state(learning.price.has_ended() ? "nothing to learn" : "resting");
  else
    enter_state("serving");
  if (learning.price.has_ended())
    log_note("auto: recording takes more than a twentieth of the program's time, and no plan came of ",
             static_cast<unsigned long>(Price::kMostStretches), " stretches; the heap serves");
}

void begin_stretch() {
  OwnClaim& claim = g_learning.claim;
  if (!is_planned_for() || !claim.is_time_to_ask(milliseconds_now()) || !take_claim()) return;
  if (!resume_recording()) return claim.give_up();
  claim.record();
  record_all_until_marked();
  write_relaxed(g_learning.everything, true);
  write_relaxed(g_learning.rests, false);
  enter_state(has_plan() ? "learning again" : "learning");
  set_recording(true);
}

bool is_planned_for() {
  if (has_planner()) return true;
  if (no_planner()) g_learning.for_good = true;
  return false;
}

void begin_recording() {
  OwnClaim& claim = g_learning.claim;
  if (!is_planned_for() || !claim.is_time_to_ask(milliseconds_now()) || !take_claim()) return;
  if (!resume_recording()) return claim.give_up();
  have_operators_hooked();
  g_learning.due = false;
  claim.record();
  enter_state(has_plan() ? "learning again" : "learning");
  runtime::add(runtime::statistics().recordings, 1);
  log_note("auto: ", reason_to_learn_again(), "; learning again, for ",
           static_cast<unsigned long>(g_learning.schedule.most_passes()), " passes at most");
  set_recording(true);
  runtime::skip_no_passes();
}

void learn_nothing() {
  stop_recording(nullptr);
  set_recording(false);
  g_learning.for_good = true;
  forget_blocks();
  if (!has_plan()) enter_state("no room to learn");
}

void learn_as_copy() {
  Learning& learning = g_learning;
  stop_recording(nullptr);
  record_passes_alone();
  look_for_planner_in_copy();
  learning.everything = learning.due = false;
  learning.deciding.give_up_in_copy();
  learning.calls = 0;
  learning.claim = OwnClaim{};
  learning.schedule = Schedule{};
  learning.price = Price{};
  learning.rests = learning.anew = false;
  learning.plans = plans_taken_up();
  if (learning.stranger && !has_marked_passes()) return;
  learning.recording = !has_plan() && !learning.for_good && resume_recording();
  enter_state(has_plan() ? "serving" : learning.recording ? "learning" : "planning");
}

}  // namespace memo::guest
