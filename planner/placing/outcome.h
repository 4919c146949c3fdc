// What a strategy's offsets amount to, said in one way by all of them.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

// The outcome of a heuristic that ended with these offsets: optimal when they reach the lower bound, feasible
// otherwise; no plan when they exceed the capacity (infeasible when the bound does too).
[[nodiscard]] Outcome conclude(const Problem& problem, Offsets offsets);

// The outcome when the time ran out, or the caller cancelled, before every buffer had a place.
[[nodiscard]] Outcome out_of_time(const Problem& problem);

// The outcome when even the lower bound exceeds the capacity; nothing otherwise. Worth asking before a
// search.
[[nodiscard]] std::optional<Outcome> infeasible_by_bound(const Problem& problem);

// For the `refusal` of strategies that take every sound problem, and of those that cannot hold a buffer in a
// place.
[[nodiscard]] std::string refuses_nothing(const Problem& problem);
[[nodiscard]] std::string refuses_fixed_offsets(const Problem& problem);

}  // namespace memo::planner
