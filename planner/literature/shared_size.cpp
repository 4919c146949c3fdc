#include "planner/literature/shared_size.h"

#include "planner/literature/shared_objects.h"
#include "planner/placing/outcome.h"
#include "planner/solve/greedy_size.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits&) {
  return share_in_order(problem, size_order(problem), LargeEnough::kOldest);
}

}  // namespace

const Strategy kSharedSize = {
    .name = "shared-size",
    .summary = "Whole objects used one after another; largest buffer first, into the oldest free object",
    .cost = "O(n * objects * log n)",
    .guarantee = "none",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
