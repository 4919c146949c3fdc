// What a pass may leave out and go as planned all the same: slots that the heap serves. A library prepares a shape once and keeps
// what it made, so that later passes do not ask for it.
#pragma once

#include <algorithm>

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

inline constexpr std::uint32_t kMostLeftOut =
    256;  // slots looked at: more cost more than a search for operators

// Returns the first slot from `at` on that has a place or a list; `at` plus kMostLeftOut if that many have none.
inline std::uint32_t first_not_on_heap(const Variant& variant, std::uint32_t at) {
  const PlanSlot* begin = variant.slots + std::min(at, variant.slot_count);
  const PlanSlot* end = begin + std::min(variant.slot_count - std::min(at, variant.slot_count), kMostLeftOut);
  const PlanSlot* found =
      std::find_if(begin, end, [](const PlanSlot& slot) { return !is_on_heap(slot.zone); });
  return static_cast<std::uint32_t>(found - variant.slots);
}

// Returns true if a pass that goes on at `to` instead of `from` leaves out nothing else.
inline bool leaves_out_only_those_on_heap(const Variant& variant, std::uint32_t from, std::uint32_t to) {
  return from < to && first_not_on_heap(variant, from) >= to;
}

}  // namespace memo::runtime
