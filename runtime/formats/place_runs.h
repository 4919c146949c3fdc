// Runs of large slots: libraries ask for their workspace again and again, and free it each time. Such slots follow each other in one
// place, with no other large slot between them. They count as one, however many they are: a plan has room for so many places.
#pragma once

#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo {

template <typename Slot>
constexpr bool is_large(const Slot& slot) {
  return slot.zone == PlanZone::kLarge;
}

// Returns true if the large slot goes on in the place of the large slot before it. Both are as large as the larger when they grow.
template <typename Slot>
constexpr bool goes_on(const Slot& before, const Slot& slot) {
  return before.place == slot.place && before.size == slot.size && before.alignment == slot.alignment;
}

// Calls `visit` with the number of each large slot in its order, and whether it goes on where the one before it was.
template <typename Slots, typename Visit>
constexpr void for_large_slots(const Slots& slots, const Visit& visit) {
  const auto* before = slots.data();
  bool is_first = true;
  for (std::uint32_t number = 0; number < slots.size(); ++number) {
    const auto& slot = slots[number];
    if (!is_large(slot)) continue;
    visit(number, !is_first && goes_on(*before, slot));
    before = &slot;
    is_first = false;
  }
}

// Counts the large slots, those of a run once.
template <typename Slots>
constexpr std::uint32_t count_places(const Slots& slots) {
  std::uint32_t places = 0;
  for_large_slots(slots, [&](std::uint32_t /*slot*/, bool goes_on) { places += goes_on ? 0 : 1; });
  return places;
}

}  // namespace memo
