// Decides which problems make sense. Strategies rely on soundness and do not check it again.
#pragma once

#include <optional>
#include <string>

#include "planner/problem/problem.h"

namespace memo::planner {

// A limit in bytes: the sizes, alignments and fixed offsets of a sound problem add up to less, so that no
// height that a strategy can reach overflows.
constexpr Bytes kMostBytes = Bytes{1} << 62;

// Returns one sentence that names what makes the problem meaningless: an empty lifetime, a size or an alignment
// below 1, a fixed place that is negative, misaligned or taken twice, or sums beyond kMostBytes. Empty for a
// sound problem.
[[nodiscard]] std::string unsound(const Problem& problem);

// Two buffers fixed on the same bytes while both are alive.
struct FixedCollision {
  BufferIndex first;
  BufferIndex second;
};
[[nodiscard]] std::optional<FixedCollision> fixed_collision(const Problem& problem);

}  // namespace memo::planner
