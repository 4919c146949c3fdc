// Plans that become larger than their file, for shapes that no profile showed.
#include <algorithm>

#include "runtime/plan/growth.h"
#include "runtime/serving/exchange.h"
#include "runtime/serving/serving.h"

namespace memo::runtime {

namespace {

constexpr std::uint64_t kLeastOutgrown = 2;  // requests of one pass that were larger than their slots,
// and one for each 8 large slots: others come from a lost place
constexpr std::uint64_t kOutgrownOneInLarge = 8;

bool wants_growth(const LoadedPlan& plan) {
  for (const Variant& variant : plan.variants)
    if (variant.wanted.load(std::memory_order_relaxed) > variant.t ||
        variant.outgrown.load(std::memory_order_relaxed))
      return true;
  return false;
}

// Remembers the refused size, so that passes of this shape stop requesting it.
void deny_growth(LoadedPlan& plan) {
  for (Variant& variant : plan.variants) {
    const std::uint64_t wanted = variant.wanted.exchange(variant.t, std::memory_order_relaxed);
    if (wanted > variant.t) variant.denied.store(wanted, std::memory_order_relaxed);
  }
}

Variant& variant_of(LoadedPlan& plan, const Variant& variant) {
  return plan.variants[static_cast<std::size_t>(&variant - plan.variants.data())];
}

// Where sizes lie on a line, a slot off the line is of another shape. One request alone proves no shape either.
void want_larger_slots(LoadedPlan& plan, const Variant& variant, std::uint64_t outgrown) {
  const std::uint64_t least =
      std::max<std::uint64_t>(kLeastOutgrown, variant.large_count / kOutgrownOneInLarge);
  if (outgrown < least || variant.growing_count != 0 || is_for_workers(variant)) return;
  if (variant.confined.load(std::memory_order_relaxed)) return;
  variant_of(plan, variant).outgrown.store(true, std::memory_order_relaxed);
  g_serving.growth_wanted.store(true, std::memory_order_relaxed);
}

}  // namespace

// Prepares the larger plan from a copy of the bytes in memory: the file may be gone by now, or be another plan.
FreshPlan prepare_growth() {
  FreshPlan fresh;
  g_serving.growth_wanted.store(false, std::memory_order_relaxed);
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  if (plan == nullptr || !wants_growth(*plan)) return fresh;
  PlanFile file;
  if (copy_plan(plan->file, &file)) {
    enlarge_slots(*plan, file);
    fresh.plan = prepare(g_serving.serving, file, plan);
  }
  if (fresh.plan == nullptr) return deny_growth(*plan), fresh;
  fresh.plan->number = plan->number;
  fresh.before = plan;
  return fresh;
}

void want_growth(LoadedPlan& plan, const Variant& variant, const WantedGrowth& wanted,
                 std::uint64_t outgrown) {
  want_larger_slots(plan, variant, outgrown);
  std::uint64_t t = wanted.t(variant.growing_count == 1);
  if (!variant.loops.empty()) t = growth_step(t);
  if (t <= variant.t || t >= variant.denied.load(std::memory_order_relaxed)) return;
  raise(variant_of(plan, variant).wanted, t);
  g_serving.growth_wanted.store(true, std::memory_order_relaxed);
}

}  // namespace memo::runtime
