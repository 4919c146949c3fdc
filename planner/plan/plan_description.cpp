#include "planner/plan/plan_description.h"

#include <algorithm>
#include <numeric>

#include "runtime/formats/rounding.h"

namespace memo::planner {

using runtime::round_up;

std::string_view name_of(PlanZone zone) {
  static constexpr std::string_view kNames[] = {"cell", "large", "heap", "list", "kept", "pool"};
  return kNames[static_cast<std::size_t>(zone)];
}

std::uint64_t large_start(const PlanDescription& plan) {
  std::uint64_t alignment = kGranule;
  for (const PlanVariantDescription& variant : plan.variants) {
    for (const PlanSlotDescription& slot : variant.slots) {
      if (slot.zone == PlanZone::kLarge) alignment = std::max<std::uint64_t>(alignment, slot.alignment);
    }
  }
  return round_up(std::accumulate(plan.cells.begin(), plan.cells.end(), std::uint64_t{0}), alignment);
}

SlotLife life_of(const PlanVariantDescription& variant, std::uint32_t slot) {
  return slot_life(variant.loops, slot, variant.slots[slot].freed_at);
}

std::uint64_t height(const PlanDescription& plan, const PlanVariantDescription& variant) {
  std::uint64_t large = 0;
  for (const PlanSlotDescription& slot : variant.slots) {
    if (slot.zone == PlanZone::kLarge) large = std::max(large, slot.place + round_up(slot.size, kGranule));
  }
  return large_start(plan) + large;
}

bool has_formulas(const PlanVariantDescription& variant) {
  return std::any_of(variant.slots.begin(), variant.slots.end(), [](const PlanSlotDescription& slot) {
    return slot.formula.exists() && !slot.formula.is_line();
  });
}

std::uint64_t bytes_requested(const PlanVariantDescription& variant) {
  std::uint64_t sum = 0;
  for (const PlanSlotDescription& slot : variant.slots)
    if (!is_on_heap(slot.zone)) sum += slot.size;
  return sum;
}

}  // namespace memo::planner
