// Plans that become larger than their file, for shapes that no profile showed. runtime/plan/growth.h says how much larger.
#pragma once

#include "runtime/plan/loaded_plan.h"
#include "runtime/slab/progress.h"

namespace memo::runtime {

// Notes that a pass on a lane of this plan wanted a variant to be larger: a greater t, larger slots without a
// parameter, or longer lists. The next look_after_plans() prepares the plan again for that, if it is still in force.
void want_growth(LoadedPlan& plan, const Variant& variant, const Progress& progress);

// Lets plans grow on a short-lived thread of the library from now on, so that no pass waits for it, where the program has
// threads of its own (runtime/platform/helper_thread.h). Otherwise the thread that begins the next pass does it.
void let_growths_run_beside();

// Lays the plan that serves out anew for what its passes asked for, if they asked for more than it has. Without the lock of
// the plans; docs/internals/serving.md says on which thread. For the files of this folder alone.
void grow_if_wanted();

}  // namespace memo::runtime
