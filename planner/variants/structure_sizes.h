// What varies from shape to shape of a structure: the sizes of its blocks, and how often its loops go round.
#pragma once

#include <vector>

#include "planner/variants/structure.h"
#include "planner/variants/varying_sizes.h"

namespace memo::planner {

// Returns the sizes of all that every shape of the structure has, each with one element for each shape: the largest block at
// each place, and the number of each loop's iterations. Leaves out places whose blocks are all small.
[[nodiscard]] std::vector<SizesOfPasses> sizes_of_shapes(const Structure& structure);

}  // namespace memo::planner
