// Where a pass ends whose thread does something else until the next one, never the same twice: a script between two requests,
// a garbage collection, a compiler.
//
//   a b c d e x y z · a b c d e · a b c d e u v w x · a b x c d e v ·
//   |=======|         |=======|   |=======|           |=========|          as long as most stretches are alike
//
// And where one ends that has nothing left to serve: behind its last allocations that are not for keeps.
#pragma once

#include <vector>

#include "planner/period/stretches.h"

namespace memo::planner {

// The beginning that most of the steps have in common, of each stretch that has it. The arena ends a pass where its plan has
// no more slots, so what comes behind is no part of it.
[[nodiscard]] std::vector<Stretch> begins_alike(const StepIndex& index,
                                                const std::vector<Stretch>& stretches);

// Passes of one kind end alike: the last steps are left out where more of them outlive their passes than a plan would serve.
void leave_out_what_stays(const StepIndex& index, std::vector<Stretch>& passes);

}  // namespace memo::planner
