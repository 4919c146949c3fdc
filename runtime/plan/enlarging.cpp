// Slots as large as their formulas say, or as passes asked for.
#include <algorithm>

#include "runtime/formats/place_runs.h"
#include "runtime/plan/growth.h"
#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {
namespace {

// Shapes that are drawn at random come a little larger again and again. A little more than was seen, 1/32, saves some of
// the growths; each makes the plan higher by as much.
constexpr std::uint64_t kRoomBeyondSeen = 32;

// Cuts what no plan holds to a size that is refused: the sum of a place and the largest sizes would wrap around.
std::uint64_t seen_at(const Variant& variant, std::uint32_t slot) {
  return std::min(variant.seen[slot].load(std::memory_order_relaxed), kNoPlanHoldsIt);
}

// Keeps the smallest size that was seen in the slot, which counts from its size down.
void enlarge(PlanSlot& slot, std::uint64_t size) {
  if (size <= slot.size) return;
  const std::uint64_t spread = slot.spread + (size - slot.size);
  slot.spread = static_cast<std::uint32_t>(std::min<std::uint64_t>(spread, UINT32_MAX));
  slot.size = size;
}

std::span<PlanSlot> slots_in(const PlanFile& copy, std::size_t variant) {
  const PlanVariant& plan = copy.variants()[variant];
  return {const_cast<PlanSlot*>(copy.slots().data()) + plan.first_slot, plan.slot_count};
}

// Makes all slots that go on in one place as large as the largest of them, so that they still do.
void level_runs(const Variant& variant, std::span<PlanSlot> slots) {
  const std::span<const PlanSlot> before(variant.slots, slots.size());
  std::uint32_t first = 0;
  for_large_slots(before, [&](std::uint32_t slot, bool goes_on) {
    if (!goes_on) first = slot;
    enlarge(slots[first], slots[slot].size);
  });
  for_large_slots(before, [&](std::uint32_t slot, bool goes_on) {
    if (!goes_on) first = slot;
    enlarge(slots[slot], slots[first].size);
  });
}

// Makes the slots as large as their formulas say. Returns false if they are.
bool enlarge_for(const Numbers& numbers, const Variant& variant, std::span<PlanSlot> slots) {
  bool larger = false;
  for (const PlanFormula& formula : variant.formulas.all) {
    const std::uint64_t size = size_for(formula, numbers);
    larger |= size > slots[formula.slot].size;
    enlarge(slots[formula.slot], size);
  }
  if (larger) level_runs(variant, slots);
  return larger;
}

// Reads the wish once: passes go on raising it. The larger variant tells by its slots what it was (find_formulas()).
void enlarge_along_lines(const Variant& variant, std::span<PlanSlot> slots) {
  const std::uint64_t t = variant.formulas.t.load(std::memory_order_relaxed);
  if (t > variant.formulas.planned.t) enlarge_for({.p = 0, .q = 0, .t = t}, variant, slots);
}

void enlarge_to_seen(const Variant& variant, std::span<PlanSlot> slots) {
  ConfirmedFactor factor;
  for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot)
    if (const std::uint64_t seen = seen_at(variant, slot); seen > slots[slot].size)
      factor.add(slots[slot].size, seen);
  for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot) {
    const std::uint64_t seen = seen_at(variant, slot);
    enlarge(slots[slot], std::min(seen + seen / kRoomBeyondSeen, slots[slot].size * factor.most()));
  }
  level_runs(variant, slots);
}

}  // namespace

void enlarge_slots(LoadedPlan& plan, const PlanFile& copy) {
  for (std::size_t index = 0; index < plan.variants.size(); ++index) {
    Variant& variant = plan.variants[index];
    const std::span<PlanSlot> slots = slots_in(copy, index);
    enlarge_along_lines(variant, slots);
    if (!variant.state.take(GrowthState::kWantsLargerSlots)) continue;
    variant.state.set(GrowthState::kConfined);
    enlarge_to_seen(variant, slots);
  }
}

bool foresee_slots(const LoadedPlan& plan, const PlanFile& copy) {
  bool larger = false;
  for (std::size_t index = 0; index < plan.variants.size(); ++index) {
    const Variant& variant = plan.variants[index];
    const std::span<PlanSlot> slots = slots_in(copy, index);
    if (variant.formulas.growing == 0 && have_other_sizes(slots, variant.slots))
      larger |= enlarge_for(variant.formulas.largest(), variant, slots);
  }
  return larger;
}

}  // namespace memo::runtime
