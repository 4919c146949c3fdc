// Splits a plan for passes that run at once, where that takes less memory than a whole slab for each (peak_choice.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "planner/placing/strategy.h"
#include "planner/plan/plan_description.h"
#include "planner/variants/selection.h"
#include "planner/variants/zones.h"

namespace memo::planner {

// What a split takes, and what the plan would take without it.
struct PeakReport {
  std::uint32_t concurrent = 0;
  std::uint32_t regions = 0;
  Bytes own = 0;      // bytes of each lane, cells included
  Bytes peak = 0;     // bytes of each peak region
  Bytes unsplit = 0;  // bytes of a lane of the same plan without the split
  [[nodiscard]] Bytes sum() const {
    return own * static_cast<Bytes>(concurrent) + peak * static_cast<Bytes>(regions);
  }
  [[nodiscard]] Bytes sum_unsplit() const { return unsplit * static_cast<Bytes>(concurrent); }
};

// Returns true if the split saves so much, on huge pages too, that it is worth passes that find no region.
[[nodiscard]] bool is_worth_it(const PeakReport& report);

// Splits the plan, in which all slots have their places, for so many passes at once, and places both parts of the variants that
// reach above the split. `large` has the large blocks of each variant. Returns nothing, and leaves the plan as it is, if that saves too
// little.
[[nodiscard]] std::optional<PeakReport> split_plan(PlanDescription& plan,
                                                   std::span<const Selection> selections,
                                                   std::span<const LargeBlocks> large,
                                                   std::uint32_t concurrent, const Strategy& strategy,
                                                   const Limits& limits);

}  // namespace memo::planner
