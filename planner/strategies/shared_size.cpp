#include "planner/strategies/shared_size.h"

#include "planner/strategies/greedy_size.h"
#include "planner/strategies/outcome.h"
#include "planner/strategies/shared_objects.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits&) {
  SharedObjects objects(problem);
  for (const BufferIndex index : size_order(problem)) objects.assign_by_size(index);
  return conclude_objects(problem, objects);
}

}  // namespace

const Strategy kSharedSize = {
    .name = "shared-size",
    .summary = "Whole objects used one after another; largest buffer first, into the smallest free object",
    .cost = "O(n * objects * log n)",
    .guarantee = "none",
    .exact = false,
    .refusal = refuses_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
