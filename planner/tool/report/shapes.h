// Says what the shapes of one structure asked for.
#pragma once

#include <cstddef>
#include <string>

#include "planner/plan/shape_range.h"
#include "planner/problem/problem.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Holds what is said of passes that are alike in all but their sizes.
struct ShapesOfStructure {
  std::size_t shapes = 0;
  ShapeRange range = {};
  bool formulas = false;  // sizes of blocks are known at shapes that were not seen
  Bytes joint = 0;        // the peak of the layout that serves them all; 0 if they were not planned

  [[nodiscard]] bool are_of_structure() const { return range.alone != 0; }
};

// Returns "94 of one structure; two sizes vary, 1 to 8 × 8 to 128: one layout, 0.0 % over the largest alone". Where no
// numbers explain the sizes, "94 of one structure, asking for 899 KiB to 68 MiB: one layout, …".
[[nodiscard]] std::string describe(const ShapesOfStructure& shapes);

// Returns what is to be said of a structure; `alone` is 0 if the variant is none. `joint` is the peak of the layout
// that serves all shapes, or 0 if none was made.
[[nodiscard]] ShapesOfStructure shapes_of(const Variant& variant, Bytes joint = 0);

}  // namespace memo::planner
