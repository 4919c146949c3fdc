#include "planner/placing/placement.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace memo::planner {

Placement::Placement(const Problem& problem)
    : problem_(problem), occupancy_(problem), offsets_(problem.buffers.size(), -1) {
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].fixed) commit(i, *problem.buffers[i].fixed);
  }
}

Offset Placement::find(BufferIndex index, Fit fit) const {
  const Buffer& buffer = problem_.buffers[index];
  return fit == Fit::kFirst ? occupancy_.lowest_gap(index, buffer.size, buffer.alignment)
                            : occupancy_.tightest_gap(index, buffer.size, buffer.alignment);
}

void Placement::commit(BufferIndex index, Offset offset) {
  const Bytes size = problem_.buffers[index].size;
  occupancy_.occupy(index, offset, size);
  offsets_[index] = offset;
  height_ = std::max(height_, offset + size);
}

Offset Placement::place(BufferIndex index, Fit fit) {
  if (!placed(index)) commit(index, find(index, fit));
  return offsets_[index];
}

Offsets place_in_order(const Problem& problem, std::span<const BufferIndex> order, Fit fit) {
  return *place_in_order(problem, order, fit, std::numeric_limits<Bytes>::max());
}

std::optional<Offsets> place_in_order(const Problem& problem, std::span<const BufferIndex> order, Fit fit,
                                      Bytes most) {
  Placement placement(problem);
  for (const BufferIndex index : order) {
    placement.place(index, fit);
    if (placement.height() > most) return std::nullopt;
  }
  return placement.offsets();
}

std::vector<BufferIndex> all_indices(const Problem& problem) {
  std::vector<BufferIndex> indices(problem.buffers.size());
  std::iota(indices.begin(), indices.end(), BufferIndex{0});
  return indices;
}

std::vector<BufferIndex> birth_order(const Problem& problem) {
  std::vector<BufferIndex> order = all_indices(problem);
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    return problem.buffers[a].life.begin < problem.buffers[b].life.begin;
  });
  return order;
}

}  // namespace memo::planner
