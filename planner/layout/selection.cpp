#include "planner/layout/selection.h"

#include "planner/problem/bounds.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

// Returns true if the demand gets a slot. A demand that stays on the heap has a slot too, so that it does not
// take another one's: its block would still be there in the next pass, or in the next iteration of a loop, and
// keep the planned block out.
bool has_slot(const Demand& demand) {
  return demand.site.module != kNone && demand.alignment <= static_cast<Bytes>(kMaxPlanAlignment) &&
         demand.size <= static_cast<Bytes>(kMaxPlanHeight / 2);
}

}  // namespace

Selection::Selection(const Variant& source) : variant(&source) {
  for (std::uint32_t i = 0; i < source.demands.size(); ++i) {
    slot_at.push_back(static_cast<std::uint32_t>(demand_of.size()));
    if (has_slot(source.demands[i])) demand_of.push_back(i);
  }
  slot_at.push_back(static_cast<std::uint32_t>(demand_of.size()));
  held.resize(slots());
  surplus.resize(slots());
  list_cells.resize(slots());
}

std::size_t Selection::planned() const {
  std::size_t count = 0;
  for (std::size_t slot = 0; slot < slots(); ++slot)
    count += is_planned(slot) || list_cells[slot] != 0 ? 1U : 0U;
  return count;
}

Bytes Selection::lower_bound() const {
  Problem problem;
  for (std::size_t slot = 0; slot < slots(); ++slot)
    if (is_planned(slot)) problem.buffers.push_back({.life = demand(slot).life, .size = demand(slot).size});
  return peak_live_bytes(problem);
}

}  // namespace memo::planner
