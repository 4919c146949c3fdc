// Shapes of one kind of pass whose sizes lie on one line become one variant, which serves shapes beyond the profile, too.
//
//   size |          8 .'   the variant: the largest profiled shape. Smaller ones fit its slots as they are.
//        |     4 .'        growth: D = (S8 - S4) without their common factors, so that
//        | 1 .'            size(t) = S8 + D t is a whole number for every shape in between and beyond
//        +---------- t
//
// The same calls in the same operators, in the same order, make the kind; of each call a shape may make fewer, as where a
// loop over the images of a batch has fewer turns. Two shapes define a line on which no size may fall from the smaller
// to the larger one; each further shape joins if all its sizes lie on it exactly, and stays a variant of its own if not.
// A size that never leaves its class (planner/trace/size_class.h) tells no shapes apart: it grows if three shapes agree
// that it does, and otherwise stays as large as its largest.
#pragma once

#include "planner/variants/variants.h"

namespace memo::planner {

// Where the shapes have different pass keys, as ONNX Runtime's have, their variant has none and fits any pass; anchors of
// its passes become one, open upwards where the size that opens the pass grows. O(shapes³ · allocations) at worst; most
// comparisons end at the first size.
void join_families(Variants& variants);

}  // namespace memo::planner
