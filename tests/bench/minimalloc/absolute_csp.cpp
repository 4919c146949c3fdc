#include "tests/bench/minimalloc/absolute_csp.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "planner/placing/budget.h"
#include "planner/placing/conflicts.h"
#include "planner/placing/placement.h"
#include "tests/bench/minimalloc/decision.h"

namespace memo::bench {
namespace {

using planner::BufferIndex;
using planner::Bytes;
using planner::Offset;
using planner::Offsets;
using planner::Problem;

constexpr Offset kUnplaced = -1;

class AbsoluteCsp {
 public:
  AbsoluteCsp(const Problem& problem, const planner::Limits& limits)
      : problem_(problem),
        capacity_(capacity_of(problem)),
        conflicts_(problem),
        order_(planner::all_indices(problem)),
        offsets_(problem.buffers.size(), kUnplaced),
        budget_(limits, kDefaultNodes) {
    const auto area = [&](BufferIndex i) {
      return problem.buffers[i].size * problem.buffers[i].life.length();
    };
    std::ranges::stable_sort(order_, [&](BufferIndex a, BufferIndex b) { return area(a) > area(b); });
  }

  planner::Outcome solve() {
    const bool found = assign_from(0);
    return decided(problem_, found ? offsets_ : Offsets{}, !budget_.exhausted(), budget_.spent());
  }

 private:
  static constexpr std::uint64_t kDefaultNodes = 1'000'000;

  // Gives values to the buffers from that place of the order on. Returns false if there is no plan, or the budget is
  // spent.
  bool assign_from(std::size_t depth) {
    if (depth == order_.size()) return true;
    const BufferIndex buffer = order_[depth];
    for (std::optional<Offset> value = next_value(buffer, 0); value; value = next_value(buffer, *value + 1)) {
      if (!budget_.spend()) return false;
      offsets_[buffer] = *value;
      if (others_keep_a_value(buffer) && assign_from(depth + 1)) return true;
      offsets_[buffer] = kUnplaced;
    }
    return false;
  }

  // Returns the least offset from `least` on that collides with no placed buffer, or nothing.
  [[nodiscard]] std::optional<Offset> next_value(BufferIndex buffer, Offset least) const {
    const Bytes size = problem_.buffers[buffer].size;
    Offset value = least;
    while (value + size <= capacity_) {
      const Offset end = end_of_collision(buffer, value);
      if (end == value) return value;
      value = end;
    }
    return std::nullopt;
  }

  // Returns where a placed buffer ends that collides with this one at `value`, or `value` if none does.
  [[nodiscard]] Offset end_of_collision(BufferIndex buffer, Offset value) const {
    for (const BufferIndex other : conflicts_.of(buffer)) {
      if (offsets_[other] == kUnplaced) continue;
      const Offset end = offsets_[other] + problem_.buffers[other].size;
      if (offsets_[other] < value + problem_.buffers[buffer].size && value < end) return end;
    }
    return value;
  }

  [[nodiscard]] bool others_keep_a_value(BufferIndex placed) const {
    return std::ranges::all_of(conflicts_.of(placed), [this](BufferIndex other) {
      return offsets_[other] != kUnplaced || next_value(other, 0).has_value();
    });
  }

  const Problem& problem_;
  Bytes capacity_;
  planner::ConflictLists conflicts_;
  std::vector<BufferIndex> order_;
  Offsets offsets_;
  planner::Budget budget_;
};

}  // namespace

planner::Outcome solve_absolute_csp(const Problem& problem, const planner::Limits& limits) {
  return AbsoluteCsp(problem, limits).solve();
}

}  // namespace memo::bench
