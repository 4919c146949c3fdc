// Joins shapes of one kind of pass, where all their sizes lie on a line, to one variant. That variant serves
// also shapes beyond the profile.
//
//   size |          8 .'   the variant: the largest profiled shape. Smaller ones fit its slots as they are.
//        |     4 .'        growth: D = (S8 - S4) without their common factors, so that
//        | 1 .'            size(t) = S8 + D t is a whole number for every shape in between and beyond
//        +---------- t
//
// Passes are of one kind if they make the same calls in the same operators, in the same order. A shape may make
// fewer of each call, as when a loop over the images of a batch has fewer iterations. Two shapes define a line, on
// which no size may fall from the smaller to the larger one. A further shape joins if all its sizes lie exactly
// on the line; otherwise it stays a variant of its own. A size that never leaves its class
// (planner/trace/size_class.h) tells no shapes apart: it grows if three shapes agree on its growth, and
// otherwise is planned as large as its largest.
#pragma once

#include "planner/steps/variants.h"

namespace memo::planner {

// Joins the shapes in place. A variant of shapes with different pass keys, as ONNX Runtime's have, gets no key
// and fits any pass. The anchors of its passes become one anchor, without an upper limit where the size that
// opens the pass grows. O(shapes³ · allocations) at worst; most comparisons end at the first size.
void join_families(Variants& variants);

}  // namespace memo::planner
