#include "planner/tool/compare/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "planner/tool/compare/memory_lines.h"
#include "planner/tool/compare/plane.h"
#include "planner/tool/compare/printed_figures.h"
#include "planner/tool/text/markup.h"

namespace memo::compare {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr int kNames = 130;  // in pixels, like the constants below
constexpr int kBars = 250;
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
