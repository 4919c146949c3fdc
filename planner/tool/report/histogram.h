// Shows how sizes and lifetimes are spread, with one bar for each power of two.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct HistogramBar {
  std::int64_t from = 0;  // 2^k; the bar counts values in [from, 2·from)
  std::size_t buffers = 0;
  Bytes bytes = 0;
};

// Return the bars from the lowest to the highest that is not empty, with the empty ones between them.
[[nodiscard]] std::vector<HistogramBar> size_histogram(const Problem& problem);
[[nodiscard]] std::vector<HistogramBar> lifetime_histogram(const Problem& problem);

}  // namespace memo::planner
