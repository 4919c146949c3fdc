// What the two baselines share: both decide a capacity, and take neither alignments nor fixed offsets.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::bench {

// Returns the capacity. Throws std::invalid_argument if there is none, or a buffer has an alignment or a fixed offset.
[[nodiscard]] planner::Bytes capacity_of(const planner::Problem& problem);

// Returns the outcome of a search that is over: `offsets` is empty if it found no plan, `complete` if it left nothing
// out.
[[nodiscard]] planner::Outcome decided(const planner::Problem& problem, planner::Offsets offsets,
                                       bool complete, std::uint64_t nodes);

}  // namespace memo::bench
