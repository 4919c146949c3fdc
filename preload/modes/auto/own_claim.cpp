#include "preload/modes/auto/own_claim.h"

#include "preload/modes/auto/own_planner.h"
#include "runtime/platform/identity.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {

bool OwnClaim::is_time(std::int64_t now, std::int64_t pause) {
  if (now < read_relaxed(next_) || !runtime::runs_in_own_process()) return false;
  write_relaxed(next_, now + pause);
  return true;
}

bool OwnClaim::take(claim::Work work) {
  const Claimed claimed = claim_recording(work);
  if (claimed == Claimed::kTaken) return false;
  if (claimed == Claimed::kNoFolder && planner_has_ended()) {
    needs_new_trace_ = has_gap_;
    return false;
  }
  write_relaxed(holds_, kTaken);
  return true;
}

void OwnClaim::record() {
  has_gap_ = needs_new_trace_ = false;
  write_relaxed(holds_, kRecords);
}

bool OwnClaim::renew(claim::Work work) {
  if (renew_claim(work)) return true;
  write_relaxed(holds_, kNothing);
  has_gap_ = true;
  needs_new_trace_ = work == claim::Work::kEverything;
  return false;
}

void OwnClaim::await_plan() {
  write_relaxed(holds_, kUntilPlanned);
  if (!renew_claim(claim::Work::kAwaitsThePlan)) write_relaxed(holds_, kNothing);
}

void OwnClaim::give_up() {
  if (holds_ == kNothing) return;
  write_relaxed(holds_, kNothing);
  runtime::on_spare_stack(give_up_claim);
}

}  // namespace memo::guest
