// Says what the shapes of one structure asked for.
#pragma once

#include <cstddef>
#include <string>

#include "planner/problem/problem.h"

namespace memo::planner {

// Holds what is said of passes that are alike in all but their sizes.
struct ShapesOfStructure {
  std::size_t shapes = 0;
  Bytes least = 0;  // bytes that the smallest shape requested in all
  Bytes most = 0;   // likewise the largest
  Bytes joint = 0;  // the peak of the layout that serves them all; 0 if they were not planned
  Bytes alone = 0;  // the highest peak of any shape alone; 0 if there is no structure
};

// Returns "94 of one structure, asking for 899 KiB to 68 MiB: one layout, 0.0 % over the largest alone".
[[nodiscard]] std::string describe(const ShapesOfStructure& shapes);

}  // namespace memo::planner
