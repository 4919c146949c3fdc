// Writes the variant of a loop: its operators, and the demands with the lifetimes that hold for any number of
// iterations.
#pragma once

#include <vector>

#include "planner/variants/loop_layout.h"
#include "planner/variants/loop_lives.h"
#include "planner/variants/variants.h"

namespace memo::planner {

// Returns the variant that all runs fit in.
[[nodiscard]] Variant unroll(const LoopLayout& layout, const std::vector<Run>& runs, const LoopLives& lives,
                             Growing growing);

}  // namespace memo::planner
