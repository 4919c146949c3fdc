// The least height of a tiny problem by trying every order: some plan of least height has every movable buffer resting
// on an earlier one, or on 0, when buffers are taken in the order of their offsets. Shares no code with the planner.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner::test {

// The height of the plan that stacks the buffers in this order; nothing if a fixed place is taken by then.
inline std::optional<Bytes> stacked_height(const Problem& problem, const std::vector<std::size_t>& order) {
  std::vector<Offset> ends(problem.buffers.size());
  Bytes height = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Buffer& buffer = problem.buffers[order[i]];
    Offset offset = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if (problem.buffers[order[j]].life.overlaps(buffer.life)) offset = std::max(offset, ends[order[j]]);
    }
    if (buffer.fixed && *buffer.fixed < offset) return std::nullopt;
    while (offset % buffer.alignment != 0) ++offset;
    if (buffer.fixed) offset = *buffer.fixed;
    ends[order[i]] = offset + buffer.size;
    height = std::max(height, ends[order[i]]);
  }
  return height;
}

inline Bytes least_height(const Problem& problem) {
  std::vector<std::size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Bytes least = std::numeric_limits<Bytes>::max();
  do {
    least = std::min(least, stacked_height(problem, order).value_or(least));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

}  // namespace memo::planner::test
