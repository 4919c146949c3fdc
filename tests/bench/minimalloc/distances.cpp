#include "tests/bench/minimalloc/distances.h"

#include <limits>

namespace memo::bench {
namespace {

using planner::Bytes;

// Small enough that the sum of three is still no overflow.
constexpr Bytes kNone = std::numeric_limits<Bytes>::min() / 4;

}  // namespace

Distances::Distances(const planner::Problem& problem, Bytes capacity)
    : nodes_(problem.buffers.size() + 1), least_(nodes_ * nodes_, kNone) {
  const Node zero = nodes_ - 1;
  for (Node i = 0; i < nodes_; ++i) least_[i * nodes_ + i] = 0;
  for (Node i = 0; i < zero; ++i) {
    for (Node j = 0; j < zero; ++j) {
      if (i != j) least_[i * nodes_ + j] = problem.buffers[i].size - capacity;
    }
    least_[zero * nodes_ + i] = 0;
    least_[i * nodes_ + zero] = problem.buffers[i].size - capacity;
  }
}

bool Distances::consistent() const {
  const Node zero = nodes_ - 1;
  for (Node i = 0; i < zero; ++i) {
    if (least(i, zero) > 0) return false;
  }
  return true;
}

void Distances::demand(Node from, Node to, Bytes distance) {
  for (Node a = 0; a < nodes_; ++a) {
    const Bytes so_far = least(a, from) + distance;
    for (Node b = 0; b < nodes_; ++b) raise(a * nodes_ + b, so_far + least(to, b));
  }
}

void Distances::raise(std::size_t place, Bytes distance) {
  if (least_[place] >= distance) return;
  trail_.push_back({place, least_[place]});
  least_[place] = distance;
}

void Distances::take_back_to(Mark mark) {
  for (; trail_.size() > mark; trail_.pop_back()) least_[trail_.back().place] = trail_.back().before;
}

planner::Offsets Distances::lowest() const {
  const Node zero = nodes_ - 1;
  planner::Offsets offsets;
  for (Node i = 0; i < zero; ++i) offsets.push_back(least(zero, i));
  return offsets;
}

}  // namespace memo::bench
