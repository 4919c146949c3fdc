#include "preload/modes/auto/pass_counts.h"

#include <atomic>

#include "preload/options/options.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/progress.h"

namespace memo::guest {
namespace {

// Returns true for the misses that another plan might avoid. Those without any plan say nothing about a plan, nor do those of passes
// that stand aside (kGaveUp): what a plan does not fit has missed before.
bool plan_could_change(std::uint32_t reason) {
  switch (static_cast<runtime::Reason>(reason)) {
    case runtime::Reason::kNoPlan:
      return !awaits_plan();
    case runtime::Reason::kUnknownSite:
    case runtime::Reason::kUnexpected:
    case runtime::Reason::kTooBig:
    case runtime::Reason::kAlignment:
      return true;
    default:
      return false;
  }
}

std::uint64_t count(const std::atomic<std::uint64_t>& counter) {
  return counter.load(std::memory_order_relaxed);
}

}  // namespace

bool has_plan() {
  return runtime::g_plan.load(std::memory_order_acquire) != nullptr;
}

bool awaits_plan() {
  return *option_text(GuestOptionId::kPlan) != '\0';
}

std::uint64_t plans_taken_up() {
  return runtime::statistics().plans_loaded.load(std::memory_order_acquire);
}

std::uint64_t passes_served() {
  return count(runtime::statistics().passes);
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

}  // namespace memo::guest
