// Why a plan cannot be lower: the moment with the most bytes alive, and who is alive then. Those buffers
// overlap each other, so they lie one above the other in every plan: a tight clique.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct Peak {
  Lifetime during;                   // the earliest stretch of time with that peak
  Bytes bytes = 0;                   // alive during it
  std::vector<BufferIndex> buffers;  // the clique, largest first
  Bytes elsewhere = 0;               // the peak of all other moments
};

// O(n log n).
[[nodiscard]] Peak peak_of(const Problem& problem);

}  // namespace memo::planner
