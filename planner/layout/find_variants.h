// Turns passes into variants: decides which passes of the traces are the steady state, which of them are runs
// of the same pass, and what each allocation of that pass needs so that every run is served.
//
//   traces ──► complete passes ──► grouped by what they allocate, in order ──► groups that recur = variants
//                                                                └─► passes that never recur = warm-up,
//                                                                dropped
//
// What workers allocated while passes ran becomes one more variant, of another kind (worker_variant.h), after
// the others.
#pragma once

#include "planner/steps/distinct_passes.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Does not depend on the order of the traces. Passes with data flow lend what it tells to passes with the same operators, and
// make variants themselves only where there are no others: PyTorch allocates for those who watch its operators.
[[nodiscard]] Variants find_variants(const DistinctPasses& passes);

}  // namespace memo::planner
