#include "planner/literature/tela_placement.h"

#include <algorithm>

#include "planner/problem/bounds.h"

namespace memo::planner {

TelaPlacement::TelaPlacement(const Problem& problem)
    : problem_(problem),
      conflicts_(problem),
      placed_(problem.buffers.size()),
      lowest_(problem.buffers.size()) {
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    if (!problem.buffers[i].fixed) continue;
    placed_[i] = true;
    lowest_[i] = *problem.buffers[i].fixed;
  }
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    if (!placed_[i]) lowest_[i] = lowest_gap(i);
  }
}

std::optional<BufferIndex> TelaPlacement::place(BufferIndex i, Bytes capacity) {
  if (top(i) > capacity) return i;
  placed_[i] = true;
  for (const BufferIndex other : conflicts_.of(i)) {
    if (placed_[other] || lowest_[other] >= top(i) || top(other) <= lowest_[i]) continue;
    trail_.push_back({other, lowest_[other]});
    lowest_[other] = lowest_gap(other);
    if (top(other) > capacity) return other;
  }
  return std::nullopt;
}

void TelaPlacement::take_back(BufferIndex i, std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) lowest_[trail_.back().buffer] = trail_.back().before;
  placed_[i] = false;
}

// Returns the lowest gap: first fit among the placed neighbours. Raises the buffer past every neighbour that
// it hits, until it hits none.
Offset TelaPlacement::lowest_gap(BufferIndex i) {
  ++looks_;
  const Buffer& buffer = problem_.buffers[i];
  Offset candidate = 0;
  for (Offset before = -1; before != candidate;) {
    before = candidate;
    Offset next = candidate;
    for (const BufferIndex other : conflicts_.of(i)) {
      if (placed_[other] && lowest_[other] < candidate + buffer.size) next = std::max(next, top(other));
    }
    candidate = align_up(next, buffer.alignment);
  }
  return candidate;
}

}  // namespace memo::planner
