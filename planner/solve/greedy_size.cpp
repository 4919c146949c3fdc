#include "planner/solve/greedy_size.h"

#include <algorithm>
#include <tuple>

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits&) {
  return conclude(problem, place_in_order(problem, size_order(problem), Fit::kBest));
}

}  // namespace

std::vector<BufferIndex> size_order(const Problem& problem) {
  std::vector<BufferIndex> order = all_indices(problem);
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    const auto key = [&](BufferIndex i) {
      const Buffer& buffer = problem.buffers[i];
      return std::tuple(-buffer.size, -buffer.life.length(), buffer.life.begin, i);
    };
    return key(a) < key(b);
  });
  return order;
}

const Strategy kGreedySize = {
    .name = "greedy-size",
    .summary = "Largest buffer first, each into the smallest gap that holds it",
    .cost = "O(n * (log n + gaps))",
    .guarantee = "none; a few percent over the bound on most networks",
    .exact = false,
    .refusal = refuses_nothing,
    .solve = solve,
};

}  // namespace memo::planner
