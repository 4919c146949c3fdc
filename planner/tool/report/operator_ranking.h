// Ranks operators by the bytes they request, and by how much the peak would fall without them. Only the second
// shrinks a slab.
#pragma once

#include <vector>

#include "planner/tool/report/picture.h"

namespace memo::planner {

struct RankedOperator {
  std::uint32_t oper = 0;  // an index into Picture::operators
  std::size_t buffers = 0;
  Bytes bytes = 0;
  Bytes at_peak = 0;       // bytes alive at the moment that forces the height
  Bytes peak_without = 0;  // the peak of all other operators
};

// Returns the operators by bytes, largest first. Sweeps once for each operator that has bytes at the peak; the
// others do not raise it.
[[nodiscard]] std::vector<RankedOperator> rank_operators(const Picture& picture);

}  // namespace memo::planner
