// Holds what the tests of the strategies share: the quadratic checker, and problems made from a seed.
#pragma once

#include <random>

#include "planner/check/check.h"
#include "planner/problem/problem.h"

namespace memo::planner {

inline bool is_valid(const Problem& problem, const Offsets& offsets) {
  return check_by_pairs(problem, offsets).valid();
}

enum class Alignments { kUnit, kMixed };

// `count` buffers of 1 to 1,000 bytes within 4·count moments, a tenth of them living long.
inline Problem random_problem(std::uint32_t seed, int count, Alignments alignments = Alignments::kUnit) {
  std::mt19937 random(seed);
  const auto below = [&random](int limit) { return static_cast<std::int64_t>(random()) % limit; };
  Problem problem;
  for (int i = 0; i < count; ++i) {
    const Time begin = below(4 * count);
    const Time length = 1 + below(below(10) == 0 ? 4 * count : 12);
    const Bytes alignment = alignments == Alignments::kUnit ? 1 : Bytes{1} << below(7);
    problem.buffers.push_back(
        {.life = {begin, begin + length}, .size = 1 + below(1000), .alignment = alignment, .fixed = {}});
  }
  return problem;
}

}  // namespace memo::planner
