// Foresees how high the lanes of a plan become for requests of a shape that was not profiled, from the formulas of its slots.
// Follows the way in which the library grows a plan (runtime/plan/enlarging.cpp, places_anew.cpp), which does it while it serves:
//
//   planned        | cells | a    | b  |            for 8 × 128, the largest shape profiled
//   for 8 × 256    | cells | a          | b      |  each large slot on top of those that were planned below it and live
//                                                   at the same time
#pragma once

#include <cstdint>

#include "planner/plan/plan_description.h"

namespace memo::planner {

// The numbers that sizes follow: the two of a shape, in the order of ShapeRange::varying, or the steps beyond the profile.
struct FormulaNumbers {
  std::uint64_t p = 0;
  std::uint64_t q = 0;
  std::uint64_t t = 0;
};

// The library refuses to make a variant more than so many times as high as planned; what is larger goes to the heap.
inline constexpr std::uint64_t kMostTimesAsPlanned = 4;

// Returns the plan with room for requests of these numbers. Slots whose size has no formula stay as they are, and so does a
// variant that has room.
[[nodiscard]] PlanDescription enlarged_for(PlanDescription plan, const FormulaNumbers& numbers);

// Returns the most bytes of a lane that a request of these numbers touches, in huge pages: smaller blocks leave room in their
// places. The numbers are of a shape that the variant has room for.
[[nodiscard]] std::uint64_t touched_by(const PlanDescription& plan, const PlanVariantDescription& variant,
                                       const FormulaNumbers& numbers);

}  // namespace memo::planner
