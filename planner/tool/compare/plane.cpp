#include "planner/tool/compare/plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "planner/tool/compare/allocators.h"
#include "planner/tool/compare/front.h"

namespace memo::compare {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kMargin = 0.04;  // of the range, so that no point lies on the frame

Axis axis_over(std::string title, const std::vector<Standing>& standings, double Standing::*figure,
               double unit) {
  const auto [least, most] = std::ranges::minmax(standings, {}, figure);
  const double margin = kMargin * (most.*figure - least.*figure);
  return {std::move(title), least.*figure - margin, most.*figure + margin, unit};
}

// Draws the front as stairs: between two allocators, the leaner one is the fastest for that much memory.
std::string front_line(std::vector<Standing> standings, const Axes& axes) {
  std::erase_if(standings, [](const Standing& standing) { return !standing.on_front; });
  std::ranges::sort(standings, {}, &Standing::bytes);
  std::string path;
  for (const Standing& standing : standings)
    path += path.empty() ? fmt::format("M{:.1f} {:.1f}", axes.x(standing.bytes), axes.y(standing.speed))
                         : fmt::format("H{:.1f}V{:.1f}", axes.x(standing.bytes), axes.y(standing.speed));
  return fmt::format("<path class='front' d='{}H{:.1f}'/>\n", path, axes.right());
}

// Writes a name above its point, on the side where there is room.
std::string point(const Standing& standing, bool ours, const Axes& axes) {
  const double x = axes.x(standing.bytes);
  const double y = axes.y(standing.speed);
  const bool at_the_right = x > axes.right() - 120;
  return fmt::format(
      "<circle class='{}' cx='{:.1f}' cy='{:.1f}' r='5'/><text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>\n",
      ours ? "ours" : "peer", x, y, at_the_right ? x - 9 : x + 9, y - 6, at_the_right ? "end" : "start",
      standing.name);
}

}  // namespace

std::string plane_svg(const Comparison& comparison, Axes::Place place) {
  std::vector<Standing> standings = standings_of(comparison);
  if (standings.size() < 2) return "";
  const Standing base = standings.front();
  for (Standing& standing : standings) standing.speed /= base.speed;
  const Axes axes(
      place,
      axis_over(most_memory_figure(comparison) == "resident_peak" ? "peak resident memory, MiB"
                                                                  : "most resident memory once steady, MiB",
                standings, &Standing::bytes, kMebibyte),
      axis_over(fmt::format("times as fast as {}, and the front that none passes", base.name), standings,
                &Standing::speed, 1));
  std::string svg = axes.svg() + front_line(standings, axes);
  for (const Standing& standing : standings)
    svg += point(standing, comparison.find(standing.name)->allocator.library == kOurs, axes);
  return svg;
}

}  // namespace memo::compare
