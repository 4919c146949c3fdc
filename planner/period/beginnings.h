// Finds where a pass ends when its thread does something different before each next pass: a script between two
// requests, a garbage collection, a compiler.
//
//   a b c d e x y z · a b c d e · a b c d e u v w x · a b x c d e v ·
//   |=======|         |=======|   |=======|           |=========|          as long as most stretches are alike
//
// It also ends a pass early where nothing is left to serve: after the last allocation that does not outlive the
// pass.
#pragma once

#include <vector>

#include "planner/period/stretches.h"

namespace memo::planner {

// Finds the common beginning that accounts for the most steps, and returns each stretch that has it, cut to it.
// The arena ends a pass where its plan has no more slots, so what follows is no part of the pass.
[[nodiscard]] std::vector<Stretch> begins_alike(const StepIndex& index,
                                                const std::vector<Stretch>& stretches);

// Cuts the last steps off all passes, at the same place since passes of one kind end alike, where more of these
// steps outlive their passes than a plan would serve.
void leave_out_what_stays(const StepIndex& index, std::vector<Stretch>& passes);

}  // namespace memo::planner
