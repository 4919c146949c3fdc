#include "planner/tool/compare/memory_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "planner/tool/compare/allocators.h"

namespace memo::compare {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr int kNames = 130;  // in pixels, like the one below
constexpr int kLineOfNames = 16;
// The lines with one colour have different dashes.
constexpr const char* kColours[] = {"#4e79a7", "#59a14f", "#b07aa1", "#76b7b2", "#9c755f", "#79706e"};
constexpr const char* kDashes[] = {"none", "7 4", "2 3"};

struct Stroke {
  const char* colour;
  const char* dash;
};

Stroke stroke_of(const Subject& subject, std::size_t number) {
  if (subject.allocator.library == kOurs)
    return {"#d97706", subject.allocator.name == kServe ? "none" : kDashes[1]};
  return {kColours[number % std::size(kColours)], kDashes[number / std::size(kColours) % std::size(kDashes)]};
}

const std::vector<MemoryPoint>& points_of(const Subject& subject) {
  return subject.runs.front().memory;
}

// Names the line at the right of the axes, at a height of its own.
std::string line(const Subject& subject, std::size_t number, const Axes& axes, int top) {
  const auto [colour, dash] = stroke_of(subject, number);
  std::string svg =
      fmt::format("<polyline class='memory' stroke='{}' stroke-dasharray='{}' points='", colour, dash);
  for (const MemoryPoint& point : points_of(subject))
    fmt::format_to(std::back_inserter(svg), "{:.1f},{:.1f} ", axes.x(point.seconds), axes.y(point.bytes));
  const double left = axes.right() + 12;
  const int middle = top + static_cast<int>(number) * kLineOfNames;
  fmt::format_to(
      std::back_inserter(svg),
      "'/><line x1='{0:.1f}' x2='{1:.1f}' y1='{2}' y2='{2}' style='stroke:{3}' stroke-dasharray='{4}'/>"
      "<text class='tick' x='{5:.1f}' y='{6}'>{7}</text>\n",
      left, left + 20, middle, colour, dash, left + 26, middle + 4, subject.allocator.name);
  return svg;
}

double most(const Comparison& comparison, double MemoryPoint::*figure) {
  double most = 0;
  for (const Subject& subject : comparison.subjects)
    for (const MemoryPoint& point : points_of(subject)) most = std::max(most, point.*figure);
  return most;
}

}  // namespace

std::string memory_lines_svg(const Comparison& comparison, Axes::Place place) {
  const double seconds = most(comparison, &MemoryPoint::seconds);
  if (seconds == 0) return "";
  const Axes axes({place.left, place.top, place.width - kNames, place.height},
                  {"seconds since the start of the first run", 0, seconds, 1},
                  {"resident memory, MiB", 0, most(comparison, &MemoryPoint::bytes), kMebibyte});
  std::string svg = axes.svg();
  for (std::size_t number = 0; number < comparison.subjects.size(); ++number)
    svg += line(comparison.subjects[number], number, axes, place.top + 36);
  return svg;
}

}  // namespace memo::compare
