// Selects the allocations of a pass that a plan has a slot for.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/steps/variants.h"

namespace memo::planner {

// The demands of one variant that have slots, and the time line of the pass in slots instead of demands.
struct Selection {
  const Variant* variant = nullptr;
  std::vector<std::uint32_t> demand_of;  // slot → demand
  std::vector<std::uint32_t> slot_at;    // demand → slots before it; one more at the end
  std::vector<bool>
      held;  // slots that need a cell, since a change of the variant finds them live (partings.h)

  std::vector<bool> surplus;  // slots that are left to the heap, since the variant has too many (zones.h)

  std::vector<std::uint32_t> list_cells;  // slot → cells of its list, 0 for a slot without one (lists.h)

  explicit Selection(const Variant& source);

  [[nodiscard]] const Demand& demand(std::size_t slot) const { return variant->demands[demand_of[slot]]; }
  [[nodiscard]] std::size_t slots() const { return demand_of.size(); }
  [[nodiscard]] bool is_planned(std::size_t slot) const {
    return !surplus[slot] && why_unplanned(demand(slot)).empty();
  }
  // Counts the slots that the plan serves, those with a list among them.
  [[nodiscard]] std::size_t planned() const;
  // Returns the most bytes of planned slots that live at once: no layout is lower.
  [[nodiscard]] Bytes lower_bound() const;
  [[nodiscard]] std::uint32_t slot_time(Time demand_time) const {
    return slot_at[static_cast<std::size_t>(demand_time)];
  }
};

}  // namespace memo::planner
