#include "planner/placing/squeeze.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "planner/placing/placement.h"

namespace memo::planner {

FirstFit::FirstFit(const Problem& problem) : problem_(problem), occupancy_(problem) {}

void FirstFit::place_fixed() {
  occupancy_.clear();
  for (BufferIndex i = 0; i < problem_.buffers.size(); ++i) {
    const Buffer& buffer = problem_.buffers[i];
    if (buffer.fixed) occupancy_.occupy(i, *buffer.fixed, buffer.size);
  }
}

std::optional<Offsets> FirstFit::run(std::span<const BufferIndex> order, Bytes most) {
  place_fixed();
  Offsets offsets(problem_.buffers.size());
  for (const BufferIndex i : order) {
    const Buffer& buffer = problem_.buffers[i];
    offsets[i] = buffer.fixed ? *buffer.fixed : occupancy_.lowest_gap(i, buffer.size, buffer.alignment);
    if (offsets[i] + buffer.size > most) return std::nullopt;
    if (!buffer.fixed) occupancy_.occupy(i, offsets[i], buffer.size);
  }
  return offsets;
}

Offsets FirstFit::run(std::span<const BufferIndex> order) {
  return *run(order, std::numeric_limits<Bytes>::max());
}

std::vector<BufferIndex> loose_order(const Problem& problem, const Offsets& loose) {
  std::vector<BufferIndex> order = all_indices(problem);
  const auto key = [&](BufferIndex i) {
    return std::tuple(loose[i], problem.buffers[i].life.begin, -problem.buffers[i].size, i);
  };
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) { return key(a) < key(b); });
  return order;
}

Offsets squeeze(const Problem& problem, const Offsets& loose) {
  return FirstFit(problem).run(loose_order(problem, loose));
}

}  // namespace memo::planner
