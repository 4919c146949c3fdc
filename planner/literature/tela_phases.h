// Sorts buffers into phases, which are stretches of high contention: TelaMalloc places the highest first.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// Returns the buffers of each phase, the most contended phase first. Every movable buffer is in exactly one
// phase.
[[nodiscard]] std::vector<std::vector<BufferIndex>> contention_phases(const Problem& problem);

}  // namespace memo::planner
