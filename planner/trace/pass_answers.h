// Finds the blocks that a pass hands to its caller, who frees them before the thread's next pass begins: its answer. Such a
// block outlives its pass, but its place is free again when the place is wanted again. So it can have one, as if the pass lasted
// until then. Answers of segmentation and of language models are among the largest blocks of their passes.
//
// Leaves small answers alone. A caller who keeps one for longer than in the trace keeps the blocks of the next pass from their
// places. That is worth it only for an answer which would take much room beside the slab.
#pragma once

#include "planner/trace/trace.h"

namespace memo::planner {

// Lets the large answers end with their passes. A block that no free is known of is no answer, and neither is one of a thread with
// a single pass.
void end_answers_with_passes(Trace& trace);

}  // namespace memo::planner
