// greedy-size: Pisarchyk & Lee's "Greedy by Size for Offset Calculation". Large buffers are hard to place, so
// they choose first; each goes into the smallest gap that holds it (see placement.h).
//
// Order: size, largest first; then longer lifetime, earlier birth, index. Cost O(n · (log n + gaps)). No
// guarantee, yet on the passes of neural networks it is rarely more than a few percent over the bound.
#pragma once

#include <tuple>

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kGreedySize;

// Says which of two buffers of equal size comes first. The paper leaves it open.
struct SizeTies {
  bool longer_first = true;  // the longer-lived one, before the birth decides
  bool later_first = false;  // the one that is born later
  friend bool operator==(const SizeTies&, const SizeTies&) = default;
};

// Sorts buffers by size, largest first, and then by `ties`.
using SizeKey = std::tuple<Bytes, Time, Time, std::int64_t>;
[[nodiscard]] SizeKey size_key(const Problem& problem, BufferIndex index, SizeTies ties);

// Returns the order above, from which several other strategies start.
[[nodiscard]] std::vector<BufferIndex> size_order(const Problem& problem, SizeTies ties = {});

}  // namespace memo::planner
