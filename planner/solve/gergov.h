// gergov: Gergov's 3-approximation (1999), the only fast strategy with a constant guarantee.
//
// 1. Two-allocation: buffers are dropped, lowest first, onto a skyline of open segments. A buffer may stick out
//    over segments that were closed for good, so that some bytes are used twice at once, never three times:
//
//      |    +----b----+              base(b) is the height of the segment it fell on; left of it, it
//      | +--|-a--+    |_open_        overlaps a. No base plus size exceeds LOAD.
//      |_| closed|____|_____
//
// 2. Separation: buffers that collide get different colours; each, in the order of placement, takes the lowest
//    free one; three suffice. Colour c moves up by c times the height of step 1: at most 3·LOAD in all.
// 3. A squeeze (squeeze.h), which makes the plan useful: from 2–3 times LOAD down to some 30 % over it.
//
// Where all alignments divide the largest one, steps 1 and 2 round every size up to it; the guarantee is then
// three times the LOAD of the rounded sizes. Other alignments and fixed offsets are left to step 3, and void
// the guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGergov;

// Returns the plan before the squeeze, which ignores fixed offsets.
[[nodiscard]] Offsets gergov_loose_plan(const Problem& problem);

}  // namespace memo::planner
