#include "planner/solve/greedy_execution.h"

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits&) {
  return conclude(problem, place_in_order(problem, birth_order(problem), Fit::kFirst));
}

}  // namespace

const Strategy kGreedyExecution = {
    .name = "greedy-execution",
    .summary = "Buffers in the order of execution, each into the lowest gap between those alive",
    .cost = "O(n * (log n + gaps))",
    .guarantee = "none",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
