// Writes short repetitions in a thread's sequence once, so that passes that loop a different number of times look alike.
//
//   steps    p | a b | a b | a b | q       folded   p a b q      begins   0 1 2 7 8
#pragma once

#include <cstdint>
#include <vector>

#include "planner/period/period.h"

namespace memo::planner {

struct Folded {
  Sequence steps;
  std::vector<std::uint32_t> begins;  // of each folded step: its first own step; one more for the end
};

// Folds repetitions of at most 32 steps. Takes linear time.
[[nodiscard]] Folded fold_repetitions(const Sequence& steps);

// Returns the stretch of own steps that a stretch of folded ones stands for.
[[nodiscard]] Stretch unfolded(const Folded& folded, const Stretch& stretch);

}  // namespace memo::planner
