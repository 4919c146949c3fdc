#include "planner/literature/allocation_tree_improved.h"

#include <optional>
#include <utility>
#include <vector>

#include "planner/literature/allocation_tree.h"
#include "planner/placing/outcome.h"
#include "planner/placing/squeeze.h"
#include "planner/problem/bounds.h"
#include "planner/solve/greedy_breadth.h"
#include "planner/solve/greedy_size.h"

namespace memo::planner {
namespace {

// One order costs seconds where there are thousands of buffers. A hundred can have all orders.
constexpr std::size_t kMostInsertions = 500;

std::vector<std::vector<BufferIndex>> all_orders(const Problem& problem) {
  return {size_order(problem), size_order(problem, {.longer_first = true, .later_first = true}),
          breadth_order(problem), breadth_order(problem, kLastBornFirst)};
}

// Keeps the lowest of the plans, each squeezed.
class Lowest {
 public:
  explicit Lowest(const Problem& problem) : problem_(problem) {}

  void take(const Offsets& loose) {
    Offsets squeezed = squeeze(problem_, loose);
    if (!best_ || height(problem_, squeezed) < height(problem_, *best_)) best_ = std::move(squeezed);
  }
  [[nodiscard]] bool is_at_the_bound() const {
    return best_ && height(problem_, *best_) == lower_bound(problem_);
  }
  [[nodiscard]] Outcome outcome() const { return best_ ? conclude(problem_, *best_) : out_of_time(problem_); }

 private:
  const Problem& problem_;
  std::optional<Offsets> best_;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  Lowest lowest(problem);
  if (const auto loose = allocation_tree_plan(problem, size_order(problem), limits, Children::kAlone))
    lowest.take(*loose);
  std::size_t insertions = 0;
  for (const std::vector<BufferIndex>& order : all_orders(problem)) {
    const std::optional<Offsets> loose = allocation_tree_plan(problem, order, limits, Children::kMerged);
    if (loose) lowest.take(*loose);
    insertions += order.size();
    if (!loose || insertions > kMostInsertions || lowest.is_at_the_bound()) break;
  }
  return lowest.outcome();
}

}  // namespace

const Strategy kAllocationTreeImproved = {
    .name = "allocation-tree-improved",
    .summary = "Inductor's tree, in which overlapping children are merged; several orders, squeezed",
    .cost = "O(n^3) at worst, for each of up to four orders",
    .guarantee = "never above allocation-tree",
    .exact = false,
    .refusal = refusal_of_mixed_alignments,
    .solve = solve,
};

}  // namespace memo::planner
