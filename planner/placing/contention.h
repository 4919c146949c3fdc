// Computes how many bytes are alive at each moment.
#pragma once

#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// Returns the bytes alive in each section, given the buffers' lifetimes as section numbers (see normalise.h),
// and 0 for the time after the last section. O(n).
[[nodiscard]] std::vector<Bytes> live_in_sections(const Problem& problem, std::span<const Lifetime> sections);

}  // namespace memo::planner
