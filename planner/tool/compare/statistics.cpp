#include "planner/tool/compare/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace memo::compare {
namespace {

// Two-sided 95 % quantiles of Student's t for 1, 2, … degrees of freedom.
constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
constexpr double kNormal = 1.960;

double student(std::size_t freedom) {
  return freedom <= kStudent.size() ? kStudent[freedom - 1]
                                    : kNormal * (1 + 1.2 / static_cast<double>(freedom));
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

Ratio ratio_of(const std::vector<double>& of, const std::vector<double>& to) {
  const auto count = static_cast<double>(of.size());
  double sum = 0;
  for (std::size_t i = 0; i < of.size(); ++i) sum += std::log(of[i] / to[i]);
  const double mean = sum / count;
  if (of.size() < 2) return {std::exp(mean), 0, HUGE_VAL, false};
  double squares = 0;
  for (std::size_t i = 0; i < of.size(); ++i) squares += std::pow(std::log(of[i] / to[i]) - mean, 2);
  const double margin = student(of.size() - 1) * std::sqrt(squares / (count - 1) / count);
  return {std::exp(mean), std::exp(mean - margin), std::exp(mean + margin), true};
}

}  // namespace memo::compare
