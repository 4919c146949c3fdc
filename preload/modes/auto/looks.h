// When a thread looks at what mode auto should do next: between two passes, and, while no pass is marked, after
// some allocations. No thread waits for another one: one that finds a thread deciding goes on.
#pragma once

#include <cstdint>

namespace memo::guest {

inline constexpr std::uint32_t kCallsBetweenLooks = 1024;  // allocations of one thread

// Looks between two passes. Costs five loads while the passes are served well.
void look_between_passes();

// Looks every kCallsBetweenLooks allocations of a thread while no pass is marked. Starts recording everything
// once the program has made so many allocations that it is no shell.
void look_between_calls();

// Looks while nothing is recorded and no pass begins: another stretch may be due, or the plan is of no use. Costs a few loads,
// and while recording rests, what the price costs.
void look_at_rest();

// Returns true if this process may record now: a planner reads its traces, and no other process of the tree
// records. Costs one load in the process that records, and a clock reading in the others.
[[nodiscard]] bool may_record();

}  // namespace memo::guest
