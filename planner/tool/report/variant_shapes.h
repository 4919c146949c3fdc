// Tells what the shapes of a variant asked for.
#pragma once

#include "planner/steps/variants.h"
#include "planner/tool/report/shapes.h"

namespace memo::planner {

// Returns what is to be said of a structure; `alone` is 0 if the variant is none. `joint` is the peak of the layout
// that serves all shapes, or 0 if none was made.
[[nodiscard]] ShapesOfStructure shapes_of(const Variant& variant, Bytes joint = 0);

}  // namespace memo::planner
