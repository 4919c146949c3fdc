#include "planner/solve/greedy_execution.h"

#include <algorithm>

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits&) {
  return conclude(problem, place_in_order(problem, execution_order(problem), Fit::kFirst));
}

}  // namespace

std::vector<BufferIndex> execution_order(const Problem& problem) {
  std::vector<BufferIndex> order = all_indices(problem);
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    return problem.buffers[a].life.begin < problem.buffers[b].life.begin;
  });
  return order;
}

const Strategy kGreedyExecution = {
    .name = "greedy-execution",
    .summary = "Buffers in the order of execution, each into the lowest gap between those alive",
    .cost = "O(n * (log n + gaps))",
    .guarantee = "none",
    .exact = false,
    .refusal = refuses_nothing,
    .solve = solve,
};

}  // namespace memo::planner
