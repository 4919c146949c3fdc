#include "planner/literature/shared_breadth.h"

#include "planner/literature/shared_objects.h"
#include "planner/placing/outcome.h"
#include "planner/solve/greedy_breadth.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits&) {
  return share_in_order(problem, breadth_order(problem, kLastBornFirst), LargeEnough::kSmallest);
}

}  // namespace

const Strategy kSharedBreadth = {
    .name = "shared-breadth",
    .summary = "Whole objects used one after another; the moments with most bytes alive choose first",
    .cost = "O(n * objects * log n)",
    .guarantee = "none",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
