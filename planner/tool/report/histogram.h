// How sizes and lifetimes are spread: one bar for each power of two.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

struct HistogramBar {
  std::int64_t from = 0;  // 2^k; values in [from, 2·from)
  std::size_t buffers = 0;
  Bytes bytes = 0;
};

// From the lowest bar that has something in it to the highest, empty ones between them included.
[[nodiscard]] std::vector<HistogramBar> size_histogram(const Problem& problem);
[[nodiscard]] std::vector<HistogramBar> lifetime_histogram(const Problem& problem);

}  // namespace memo::planner
