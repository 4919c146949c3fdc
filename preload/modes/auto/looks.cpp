#include "preload/modes/auto/looks.h"

#include "preload/modes/auto/coarse_clock.h"
#include "preload/modes/auto/learning.h"
#include "preload/modes/auto/own_planner.h"
#include "preload/modes/auto/pass_counts.h"
#include "preload/modes/auto/recordings.h"
#include "preload/modes/auto/room_to_learn.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/serve/live.h"
#include "preload/platform/kept_errno.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/serving.h"

namespace memo::guest {
namespace {

constexpr std::uint64_t kCallsBeforeAll = std::uint64_t{1} << 16;  // a shell makes fewer, a server more

// Lets one thread at a time decide. No thread waits: a second one leaves the decision to the first.
class Decision {
 public:
  Decision() : mine_(!__atomic_exchange_n(&g_learning.deciding, true, __ATOMIC_ACQUIRE)) {}
  ~Decision() {
    if (mine_) __atomic_store_n(&g_learning.deciding, false, __ATOMIC_RELEASE);
  }
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;
  [[nodiscard]] bool is_mine() const { return mine_; }

 private:
  const bool mine_;
};

// Looks for a plan, and ends the recording when it is time. Costs two clock readings, and twice a second a stat.
[[gnu::cold, gnu::noinline]] void look_while_recording() {
  const KeptErrno kept;
  runtime::look_after_plans();
  if (has_marked_passes() || read_relaxed(g_learning.everything)) refresh_live_page_if_due();
  const Decision decision;
  if (!decision.is_mine() || !recording()) return;
  const bool short_of_memory = memory_runs_short();
  g_learning.for_good = g_learning.for_good || short_of_memory;
  if (g_learning.claim.records() && g_learning.claim.is_time_to_renew(milliseconds_now()))
    runtime::on_spare_stack(renew_own_claim);
  if (short_of_memory || plans_taken_up() != g_learning.plans || has_recorded_enough() || !is_recording() ||
      no_planner())
    runtime::on_spare_stack(end_recording);
}

[[gnu::cold, gnu::noinline]] void judge_passes() {
  const KeptErrno kept;
  const Decision decision;
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

}  // namespace

void look_between_passes() {
  if (!runtime::is_settled_here()) return;
  if (recording()) return look_while_recording();
  if (plans_taken_up() != read_relaxed(g_learning.plans) || g_learning.schedule.has_window(passes_served()))
    judge_passes();
}

[[gnu::cold, gnu::noinline]] void look_between_calls() {
  if (!runtime::is_settled_here()) return;
  const std::uint64_t calls = count_up(g_learning.calls, kCallsBetweenLooks);
  const bool all = calls >= kCallsBeforeAll && !has_marked_passes() && may_record();
  if (all && !__atomic_exchange_n(&g_learning.everything, true, __ATOMIC_RELAXED)) record_all_until_marked();
  look_while_recording();
}

bool may_record() {
  if (g_learning.claim.records()) return true;
  if (!is_planned_for()) return false;
  const KeptErrno kept;
  const Decision decision;
  if (decision.is_mine() && recording() && g_learning.claim.is_time_to_ask(milliseconds_now()))
    runtime::on_spare_stack(claim_first_recording);
  return g_learning.claim.records();
}

}  // namespace memo::guest
