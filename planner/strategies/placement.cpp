#include "planner/strategies/placement.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "planner/problem/bounds.h"

namespace memo::planner {

Placement::Placement(const Problem& problem) : problem_(problem), offsets_(problem.buffers.size(), -1) {
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].fixed) commit(i, *problem.buffers[i].fixed);
  }
}

Offset Placement::find(BufferIndex index, Fit fit) const {
  const Buffer& buffer = problem_.buffers[index];
  Offset free_from = 0;
  Offset best = -1;
  Bytes best_waste = std::numeric_limits<Bytes>::max();
  for (const Placed& other : by_bottom_) {
    if (!other.life.overlaps(buffer.life)) continue;
    const Offset candidate = align_up(free_from, buffer.alignment);
    const Bytes waste = other.bottom - candidate - buffer.size;
    if (waste >= 0 && waste < best_waste) {
      best = candidate;
      best_waste = waste;
      if (fit == Fit::kFirst) return best;
    }
    free_from = std::max(free_from, other.top);
  }
  return best >= 0 ? best : align_up(free_from, buffer.alignment);
}

void Placement::commit(BufferIndex index, Offset offset) {
  const Buffer& buffer = problem_.buffers[index];
  const Placed placed{offset, offset + buffer.size, buffer.life};
  const auto at = std::upper_bound(by_bottom_.begin(), by_bottom_.end(), placed,
                                   [](const Placed& a, const Placed& b) { return a.bottom < b.bottom; });
  by_bottom_.insert(at, placed);
  offsets_[index] = offset;
  height_ = std::max(height_, placed.top);
}

Offset Placement::place(BufferIndex index, Fit fit) {
  if (!placed(index)) commit(index, find(index, fit));
  return offsets_[index];
}

Offsets place_in_order(const Problem& problem, std::span<const BufferIndex> order, Fit fit) {
  Placement placement(problem);
  for (const BufferIndex index : order) placement.place(index, fit);
  return placement.offsets();
}

std::vector<BufferIndex> all_indices(const Problem& problem) {
  std::vector<BufferIndex> indices(problem.buffers.size());
  std::iota(indices.begin(), indices.end(), BufferIndex{0});
  return indices;
}

}  // namespace memo::planner
