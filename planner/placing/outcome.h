// Turns a strategy's offsets into an outcome, in the same way for all strategies.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

// Returns the outcome of a heuristic that ended with these offsets: optimal when they reach the lower bound,
// feasible otherwise. When they exceed the capacity, the outcome has no plan (and is infeasible when the bound
// exceeds it too).
[[nodiscard]] Outcome conclude(const Problem& problem, Offsets offsets);

// Gives the outcome this plan, with its height and what that says: optimal when it reaches the outcome's lower bound.
void take_plan(const Problem& problem, Offsets offsets, Outcome& outcome);

// Returns the outcome when the time ran out, or the caller cancelled, before every buffer had a place.
[[nodiscard]] Outcome out_of_time(const Problem& problem);

// Returns the outcome when even the lower bound exceeds the capacity, and nothing otherwise. It is cheap enough
// to ask before a search.
[[nodiscard]] std::optional<Outcome> infeasible_by_bound(const Problem& problem);

// Solves, and says in the outcome how many seconds that took. A strategy that solves in another process has counted them
// there, without the way to it.
[[nodiscard]] Outcome solve_timed(const Strategy& strategy, const Problem& problem, const Limits& limits);

// Serve as the `refusal` of strategies that take every sound problem, and of those that cannot keep a buffer at
// a fixed place.
[[nodiscard]] std::string no_refusal(const Problem& problem);
[[nodiscard]] std::string refusal_of_fixed_offsets(const Problem& problem);

}  // namespace memo::planner
