#include "planner/solve/greedy_size.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits& limits) {
  const Bytes most = limits.below ? *limits.below - 1 : std::numeric_limits<Bytes>::max();
  std::optional<Offsets> offsets = place_in_order(problem, size_order(problem), Fit::kBest, most);
  return offsets ? conclude(problem, *std::move(offsets)) : out_of_time(problem);
}

}  // namespace

SizeKey size_key(const Problem& problem, BufferIndex index, SizeTies ties) {
  const Buffer& buffer = problem.buffers[index];
  const Time life = ties.longer_first ? -buffer.life.length() : 0;
  const auto number = static_cast<std::int64_t>(index);
  return ties.later_first ? SizeKey{-buffer.size, life, -buffer.life.begin, -number}
                          : SizeKey{-buffer.size, life, buffer.life.begin, number};
}

std::vector<BufferIndex> size_order(const Problem& problem, SizeTies ties) {
  std::vector<BufferIndex> order = all_indices(problem);
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    return size_key(problem, a, ties) < size_key(problem, b, ties);
  });
  return order;
}

const Strategy kGreedySize = {
    .name = "greedy-size",
    .summary = "Largest buffer first, each into the smallest gap that holds it",
    .cost = "O(n * (log n + gaps))",
    .guarantee = "none; a few percent over the bound on most networks",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
