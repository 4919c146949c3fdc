#include "tests/bench/minimalloc/meta_csp.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "planner/placing/budget.h"
#include "tests/bench/minimalloc/decision.h"
#include "tests/bench/minimalloc/distances.h"

namespace memo::bench {
namespace {

using planner::BufferIndex;
using planner::Bytes;
using planner::Problem;

struct Pair {
  BufferIndex one;
  BufferIndex other;
};

std::vector<Pair> pairs_by_size(const Problem& problem) {
  std::vector<Pair> pairs;
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    for (BufferIndex j = 0; j < i; ++j) {
      if (problem.buffers[i].life.overlaps(problem.buffers[j].life)) pairs.push_back({i, j});
    }
  }
  const auto size = [&](const Pair& pair) {
    return problem.buffers[pair.one].size + problem.buffers[pair.other].size;
  };
  std::ranges::stable_sort(pairs, [&](const Pair& a, const Pair& b) { return size(a) > size(b); });
  return pairs;
}

class MetaCsp {
 public:
  MetaCsp(const Problem& problem, const planner::Limits& limits)
      : problem_(problem),
        pairs_(pairs_by_size(problem)),
        distances_(problem, capacity_of(problem)),
        budget_(limits, kDefaultWork) {}

  planner::Outcome solve() {
    const bool found = distances_.consistent() && propagate() && decide();
    return decided(problem_, found ? distances_.lowest() : planner::Offsets{}, !budget_.exhausted(), nodes_);
  }

 private:
  // In rows of the matrix.
  static constexpr std::uint64_t kDefaultWork = 100'000'000;

  // Decides what is open. Returns false if there is no plan, or the budget is spent.
  bool decide() {
    const std::optional<Pair> open = first_open();
    if (!open) return true;
    const bool swapped = room_below(open->other, open->one) > room_below(open->one, open->other);
    const Pair first = swapped ? Pair{open->other, open->one} : *open;
    return try_below(first.one, first.other) || try_below(first.other, first.one);
  }

  bool try_below(BufferIndex lower, BufferIndex upper) {
    if (budget_.exhausted()) return false;
    ++nodes_;
    const Distances::Mark before = distances_.mark();
    if (put_below(lower, upper) && propagate() && decide()) return true;
    distances_.take_back_to(before);
    return false;
  }

  // Gives a value to each pair that has one left, until none is left to give. Returns false if a pair has no value.
  bool propagate() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Pair& pair : pairs_) {
        if (is_decided(pair)) continue;
        const bool one_below = may_lie_below(pair.one, pair.other);
        const bool other_below = may_lie_below(pair.other, pair.one);
        if (one_below && other_below) continue;
        if (!one_below && !other_below) return false;
        if (!(one_below ? put_below(pair.one, pair.other) : put_below(pair.other, pair.one))) return false;
        changed = true;
      }
    }
    return true;
  }

  // Returns false if the budget is spent.
  bool put_below(BufferIndex lower, BufferIndex upper) {
    distances_.demand(lower, upper, size(lower));
    return budget_.spend(problem_.buffers.size());
  }

  [[nodiscard]] std::optional<Pair> first_open() const {
    const auto open = std::ranges::find_if(pairs_, [this](const Pair& pair) { return !is_decided(pair); });
    return open == pairs_.end() ? std::nullopt : std::optional(*open);
  }

  [[nodiscard]] Bytes size(BufferIndex i) const { return problem_.buffers[i].size; }
  [[nodiscard]] bool is_decided(const Pair& pair) const {
    return distances_.least(pair.one, pair.other) >= size(pair.one) ||
           distances_.least(pair.other, pair.one) >= size(pair.other);
  }
  [[nodiscard]] bool may_lie_below(BufferIndex lower, BufferIndex upper) const {
    return distances_.allows(lower, upper, size(lower));
  }
  // Returns how many bytes the two could still move if the one lay below the other.
  [[nodiscard]] Bytes room_below(BufferIndex lower, BufferIndex upper) const {
    return -distances_.least(upper, lower) - size(lower);
  }

  const Problem& problem_;
  std::vector<Pair> pairs_;
  Distances distances_;
  planner::Budget budget_;
  std::uint64_t nodes_ = 0;
};

}  // namespace

planner::Outcome solve_meta_csp(const Problem& problem, const planner::Limits& limits) {
  return MetaCsp(problem, limits).solve();
}

}  // namespace memo::bench
