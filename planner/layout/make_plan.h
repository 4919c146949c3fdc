// From recorded passes to a plan: the one way that all take, the commands and whoever uses the planner as a library.
//
//   passes ──► variants_to_plan() ──► plan_variants() ──► plan and reports
//
// The two are apart, since people want to hear what was found before it is solved.
#pragma once

#include <cstddef>
#include <span>

#include "planner/layout/plan_variants.h"
#include "planner/steps/distinct_passes.h"
#include "planner/steps/period_passes.h"
#include "planner/steps/variants.h"

namespace memo::planner {

struct PlanWishes {
  std::span<const FoundAnchor> anchors = {};  // that open the passes, where nothing marks them
  std::size_t warm_up = 0;                    // passes of a kind to leave out besides those that are found
  bool keep_parallel = false;                 // branches that may run beside each other share no bytes
};

// Returns what the passes have in common, in variants. There are none where no pass is complete.
[[nodiscard]] Variants variants_to_plan(const DistinctPasses& passes, const PlanWishes& wishes = {});

}  // namespace memo::planner
