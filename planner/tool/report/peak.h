// Shows why a plan cannot be lower: the moment with the most live bytes, and the buffers alive then. The
// lifetimes of those buffers overlap each other, so they lie one above the other in every plan: a tight clique.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct Peak {
  Lifetime during;                   // the first period with that peak
  Bytes bytes = 0;                   // bytes alive during that period
  std::vector<BufferIndex> buffers;  // the clique, largest first
  Bytes elsewhere = 0;               // the peak of all other times
};

// Finds the peak. O(n log n).
[[nodiscard]] Peak peak_of(const Problem& problem);

}  // namespace memo::planner
