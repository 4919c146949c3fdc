// auto: the default strategy. It runs heuristics for milliseconds, then many exact searches at once on all
// cores, until the height is proved least or the limits run out. Its result always has a lower bound.
//
//   the peak of live bytes             at once: the bound
//   strip-packing, greedy-size, …      microseconds to milliseconds: a first plan, and all rules for ties
//   ejection (ejection.h)              of large problems: takes the more of the time, the larger they are
//   the first dive at the bound        milliseconds: ends it for most real traces
//   batches of dives (portfolio.h)     until proved, or until the limits run out
//   a last walk over the births        the height stays, hot bytes are used again (locality.h)
//
// For a problem with too many overlapping pairs for the search, what ejection leaves goes to hill-climb and boxing.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kAutomatic;

}  // namespace memo::planner
