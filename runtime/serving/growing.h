// Plans that become larger than their file, for shapes that no profile showed. runtime/plan/growth.h says how much larger.
#pragma once

#include "runtime/plan/wishes.h"

namespace memo::runtime {

// Notes what a pass on a lane of this plan wanted to be larger in the variant. The next look_after_plans() lays the plan out
// anew for that, if it is still in force.
void want_growth(LoadedPlan& plan, const Variant& variant, const Wishes& wishes);

// Lets plans grow on a short-lived thread of the library from now on, so that no pass waits for it, where the program has
// threads of its own (runtime/platform/helper_thread.h). Otherwise the thread that begins the next pass does it.
void let_growths_run_beside();

// Lays the plan that serves out anew for what its passes asked for, if they asked for more than it has. Without the lock of
// the plans; docs/internals/serving.md says on which thread. For the files of this folder alone.
void grow_if_wanted();

}  // namespace memo::runtime
