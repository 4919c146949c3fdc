// How much is alive when.
#pragma once

#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// The bytes alive in each section, given the buffers' lifetimes as section numbers (see normalise.h), and 0 for
// the time after the last. O(n).
[[nodiscard]] std::vector<Bytes> live_in_sections(const Problem& problem, std::span<const Lifetime> sections);

}  // namespace memo::planner
