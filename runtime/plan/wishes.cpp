#include "runtime/plan/wishes.h"

#include <algorithm>

#include "runtime/plan/longer_lists.h"

namespace memo::runtime {
namespace {

// Asks for so many requests of one pass, and for one in so many of the large slots: fewer come from a lost place.
constexpr std::uint64_t kLeastRequests = 2;
constexpr std::uint64_t kOneInLarge = 8;

}  // namespace

void Wishes::add(const Variant& variant, std::uint32_t slot, std::uint64_t size) {
  const PlanFormula* formula = formula_at(variant.formulas, slot);
  if (formula != nullptr && is_line(*formula)) return on_line_.add(*formula, size);
  if (size <= variant.slots[slot].size) return;  // a cell, which cannot become larger
  if (outgrown_++ == 0) products_ = {};
  if (formula != nullptr) products_.add(*formula, size);
  raise(variant.seen[slot], size);
}

bool Wishes::pass_on_t(Variant& variant) const {
  Formulas& formulas = variant.formulas;
  const std::uint64_t t =
      variant.loops.empty() ? on_line_.t(formulas.growing == 1) : growth_step(on_line_.risen());
  if (t <= formulas.planned.t || t >= variant.refused.load(std::memory_order_relaxed)) return false;
  raise(formulas.t, t);
  return true;
}

bool Wishes::pass_on_sizes(Variant& variant) const {
  if (outgrown_ < std::max<std::uint64_t>(kLeastRequests, variant.large_count / kOneInLarge)) return false;
  if (variant.formulas.growing != 0 || is_for_workers(variant)) return false;
  if (variant.state.has(GrowthState::kConfined)) return false;
  const Numbers had = variant.formulas.all.empty() ? Numbers{} : products_.explain(variant.formulas);
  raise(variant.formulas.p, had.p);
  raise(variant.formulas.q, had.q);
  variant.state.set(GrowthState::kWantsLargerSlots);
  return true;
}

bool Wishes::pass_on_lists(const LoadedPlan& plan, Variant& variant) const {
  if (past_lists_ < kLeastRequests || variant.state.has(GrowthState::kListsAreLongest)) return false;
  const bool may = has_room_for_longer_lists(plan) && !variant.state.has(GrowthState::kConfined);
  variant.state.set(may ? GrowthState::kWantsLongerLists : GrowthState::kListsAreLongest);
  return may;
}

bool Wishes::pass_on(LoadedPlan& plan, Variant& variant) const {
  const bool t = pass_on_t(variant);
  const bool sizes = pass_on_sizes(variant);
  return pass_on_lists(plan, variant) || sizes || t;
}

bool has_wishes(const LoadedPlan& plan) {
  return std::any_of(plan.variants.begin(), plan.variants.end(), [](const Variant& variant) {
    return variant.formulas.t.load(std::memory_order_relaxed) > variant.formulas.planned.t ||
           variant.state.has(GrowthState::kWantsLargerSlots | GrowthState::kWantsLongerLists);
  });
}

void deny_wishes(LoadedPlan& plan) {
  for (Variant& variant : plan.variants) {
    const std::uint64_t had = variant.formulas.planned.t;
    const std::uint64_t wanted = variant.formulas.t.exchange(had, std::memory_order_relaxed);
    if (wanted > had) variant.refused.store(wanted, std::memory_order_relaxed);
  }
}

}  // namespace memo::runtime
