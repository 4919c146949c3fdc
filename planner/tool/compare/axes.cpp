#include "planner/tool/compare/axes.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "planner/tool/text/markup.h"

namespace memo::compare {
namespace {

constexpr int kNumbers = 60;  // in pixels, like the two below
constexpr int kTitle = 28;
constexpr int kFoot = 44;
constexpr int kSteps = 5;  // at most so many between the numbers of an axis

Axis with_a_length(Axis axis) {
  if (axis.to <= axis.from) axis.to = axis.from > 0 ? 2 * axis.from : axis.from + 1;
  return axis;
}

// Returns the least of 1, 2, 5, 10, 20, … times a power of ten that is not smaller.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1, 2, 5})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

// Returns the round numbers on the axis, in its unit.
std::vector<double> numbers_on(const Axis& axis) {
  const double from = axis.from / axis.unit;
  const double to = axis.to / axis.unit;
  const double step = round_step((to - from) / kSteps);
  std::vector<double> numbers;
  for (double number = std::ceil(from / step); number * step <= to; ++number)
    numbers.push_back(number * step);
  return numbers;
}

}  // namespace

Axes::Axes(Place place, Axis across, Axis upward)
    : place_(place),
      across_(with_a_length(std::move(across))),
      upward_(with_a_length(std::move(upward))),
      left_(place.left + kNumbers),
      right_(place.left + place.width - 16),
      top_(place.top + kTitle),
      bottom_(place.top + place.height - kFoot) {}

double Axes::x(double value) const {
  return left_ + (value - across_.from) / (across_.to - across_.from) * (right_ - left_);
}

double Axes::y(double value) const {
  return bottom_ - (value - upward_.from) / (upward_.to - upward_.from) * (bottom_ - top_);
}

std::string Axes::svg() const {
  std::string svg = fmt::format(
      "<path class='frame' d='M{:.1f} {:.1f}V{:.1f}H{:.1f}'/>\n<text x='{}' y='{}'>{}</text>"
      "<text x='{:.1f}' y='{}' text-anchor='end'>{}</text>\n",
      left_, top_, bottom_, right_, place_.left, place_.top + 14, planner::safe_in_markup(upward_.title),
      right_, place_.top + place_.height - 6, planner::safe_in_markup(across_.title));
  for (const double number : numbers_on(across_))
    fmt::format_to(std::back_inserter(svg),
                   "<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:.4g}</text>\n",
                   x(number * across_.unit), bottom_ + 18, number);
  for (const double number : numbers_on(upward_))
    fmt::format_to(std::back_inserter(svg),
                   "<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='end'>{:.4g}</text>\n", left_ - 6,
                   y(number * upward_.unit) + 4, number);
  return svg;
}

}  // namespace memo::compare
