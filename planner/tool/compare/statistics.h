// Computes figures from a few runs on a machine that other programs use too.
#pragma once

#include <vector>

namespace memo::compare {

struct Spread {
  double median = 0;
  double least = 0;
  double greatest = 0;
};

// Returns the spread of the values, of which there must be at least one.
[[nodiscard]] Spread spread_of(std::vector<double> values);

// Says how many times as large `of` is as `to`: the geometric mean over the pairs of values of one round, and
// its 95 % confidence interval (Student's t of the logarithms). With one pair the interval is unbounded, and
// `bounded` is false.
struct Ratio {
  double value = 1;
  double low = 1;
  double high = 1;
  bool bounded = false;
};

// Returns the ratio. Both lists must have the same length and only positive values.
[[nodiscard]] Ratio ratio_of(const std::vector<double>& of, const std::vector<double>& to);

}  // namespace memo::compare
