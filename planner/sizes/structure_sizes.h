// What varies from shape to shape of a structure: the sizes of its blocks, and how often its loops go round.
#pragma once

#include "planner/fold/tree.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Looks for the numbers that the sizes of all shapes follow, and notes their ranges in the variant that was made of the
// tree. Gives those of its demands a formula whose sizes have one in two numbers. Of a demand that comes several times
// in a pass, the largest block counts. A demand that some shapes lack has a formula if eight others have the demand.
void explain_sizes(const Tree& tree, Variant& variant);

}  // namespace memo::planner
