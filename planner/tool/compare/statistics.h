// Figures of a few runs on a machine that others use too.
#pragma once

#include <vector>

namespace memo::compare {

struct Spread {
  double median = 0;
  double least = 0;
  double greatest = 0;
};

// Of at least one value.
[[nodiscard]] Spread spread_of(std::vector<double> values);

// How many times `of` is `to`: the geometric mean over the pairs of one round each, and where it lies with 95 % of
// confidence (Student's t of the logarithms). With one pair the interval is unbounded and says so.
struct Ratio {
  double value = 1;
  double low = 1;
  double high = 1;
  bool bounded = false;
};

// As many values of the one as of the other, all positive.
[[nodiscard]] Ratio ratio_of(const std::vector<double>& of, const std::vector<double>& to);

}  // namespace memo::compare
