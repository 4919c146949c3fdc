// Operators by what they ask for, and by what the peak would lose without them: the second is what shrinks a slab.
#pragma once

#include <vector>

#include "planner/tool/report/picture.h"

namespace memo::planner {

struct RankedOperator {
  std::uint32_t oper = 0;  // in Picture::operators
  std::size_t buffers = 0;
  Bytes bytes = 0;
  Bytes at_peak = 0;       // alive at the moment that forces the height
  Bytes peak_without = 0;  // the peak of everybody else
};

// By bytes, largest first. A sweep for each operator that has bytes at the peak; the others lower nothing.
[[nodiscard]] std::vector<RankedOperator> rank_operators(const Picture& picture);

}  // namespace memo::planner
