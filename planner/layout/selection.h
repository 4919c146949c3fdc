// Selects the allocations of a pass that a plan has a slot for.
#pragma once

#include "planner/steps/variants.h"

namespace memo::planner {

// Returns the variant with those demands alone that get a slot; its times count slots then. A demand that stays on the heap has a slot
// too, so that it does not take another one's: its block would still be there in the next pass, or in the next iteration of a loop,
// and keep the planned block out.
[[nodiscard]] Variant with_slots(const Variant& variant);

// Returns true if the block has bytes of the slab for itself.
[[nodiscard]] inline bool has_place(const Demand& demand) {
  return demand.zone == PlanZone::kCell || demand.zone == PlanZone::kLarge;
}

// Returns the most bytes of blocks with a place that live at once: no layout is lower.
[[nodiscard]] Bytes lower_bound(const Variant& variant);

}  // namespace memo::planner
