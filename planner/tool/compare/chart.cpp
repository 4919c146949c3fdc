#include "planner/tool/compare/chart.h"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <string>

#include "planner/tool/compare/allocators.h"
#include "planner/tool/compare/axes.h"
#include "planner/tool/compare/comparison.h"
#include "planner/tool/compare/front.h"
#include "planner/tool/compare/printed_figures.h"
#include "planner/tool/text/markup.h"

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

// Returns "" where fewer than two allocators have both figures.
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

// Returns "" where no memory was sampled over time, as in turn.
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

constexpr int kBars = 250;  // in pixels, like the constants below
constexpr int kValues = 90;
constexpr int kRow = 22;
constexpr int kTop = 64;
constexpr int kPanel = kBars + kValues;
constexpr int kPictures = 280;  // the height of both below the bars

struct Panel {
  std::string title;
  std::string figure;
  double unit;
};

double greatest(const Comparison& comparison, const Panel& panel) {
  double most = 0;
  for (const Subject& subject : comparison.subjects) {
    for (const double value : values_of(subject, panel.figure)) most = std::max(most, value);
  }
  return most > 0 ? most : 1;
}

// Draws one bar. The bar ends at the median, and the line across its end reaches from the least to the greatest
// value.
void draw_bar(std::string& svg, const Subject& subject, const Panel& panel, int left, int top, double scale) {
  const std::vector<double> values = values_of(subject, panel.figure);
  if (values.empty()) return;
  const Spread spread = spread_of(values);
  const bool ours = subject.allocator.library == kOurs;
  const double middle = top + kRow / 2.0;
  fmt::format_to(std::back_inserter(svg),
                 "<rect class='{}' x='{}' y='{}' width='{:.1f}' height='{}'/>"
                 "<line x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>"
                 "<text x='{}' y='{}'>{:.4g}</text>\n",
                 ours ? "ours" : "peer", left, top + 3, spread.median * scale, kRow - 6,
                 left + spread.least * scale, left + spread.greatest * scale, middle, middle,
                 left + kBars + 8, top + 15, spread.median / panel.unit);
}

}  // namespace

std::string chart_svg(const Comparison& comparison, const std::string& title) {
  const std::string speed = speed_figure(comparison);
  const Panel panels[] = {
      {fmt::format("{} ({} is better)", speed, more_is_better(speed) ? "more" : "less"), speed, 1},
      {"steady resident memory, MiB", "resident_steady", kMebibyte},
      {"peak resident memory, MiB", "resident_peak", kMebibyte},
  };
  const int width = kNames + static_cast<int>(std::size(panels)) * kPanel;
  const int below = kTop + static_cast<int>(comparison.subjects.size()) * kRow + 16;
  const std::string pictures =
      plane_svg(comparison, {8, below, width / 2 - 16, kPictures}) +
      memory_lines_svg(comparison, {width / 2 + 8, below, width / 2 - 16, kPictures});
  const int height = below + (pictures.empty() ? 0 : kPictures);
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}'>\n"
      "<style>svg{{background:#fff}} text{{font:13px sans-serif;fill:#222}} .title{{font-weight:bold;font-size:15px}}"
      " .peer{{fill:#9db4c8}} .ours{{fill:#d97706}} line{{stroke:#222;stroke-width:1.5}}"
      " .tick{{font-size:11px}} .frame{{fill:none;stroke:#888}} .front{{fill:none;stroke:#d97706;stroke-dasharray:5 4}}"
      " .memory{{fill:none;stroke-width:1.5}}</style>\n"
      "<text class='title' x='8' y='22'>{2}</text>\n",
      width, height, planner::safe_in_markup(title));
  int left = kNames;
  for (const Panel& panel : panels) {
    fmt::format_to(std::back_inserter(svg), "<text x='{}' y='{}'>{}</text>\n", left, kTop - 12,
                   planner::safe_in_markup(panel.title));
    const double scale = kBars / greatest(comparison, panel);
    int top = kTop;
    for (const Subject& subject : comparison.subjects) {
      draw_bar(svg, subject, panel, left, top, scale);
      top += kRow;
    }
    left += kPanel;
  }
  int top = kTop;
  for (const Subject& subject : comparison.subjects) {
    fmt::format_to(std::back_inserter(svg), "<text x='8' y='{}'>{}</text>\n", top + 15,
                   subject.allocator.name);
    top += kRow;
  }
  return svg + pictures + "</svg>\n";
}

}  // namespace memo::compare
