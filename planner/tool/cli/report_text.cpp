#include "planner/tool/cli/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "planner/tool/cli/text_table.h"
#include "planner/tool/report/answers.h"
#include "planner/tool/report/live_bytes.h"
#include "planner/tool/report/operator_ranking.h"
#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using planner::Bytes;
using planner::human_bytes;
using planner::Layout;
using planner::Measured;
using planner::Peak;
using planner::Picture;
using planner::ServedRun;

constexpr std::size_t kOperatorsShown = 8;
constexpr std::size_t kChangesShown = 20;
constexpr std::size_t kCurveColumns = 64;

// Returns the most live bytes in each of `columns` equal stretches of time.
std::vector<Bytes> sampled(const std::vector<planner::LiveStep>& steps, std::size_t columns) {
  std::vector<Bytes> most(columns, 0);
  const planner::Time begin = steps.front().begin;
  const planner::Time length = std::max<planner::Time>(steps.back().begin - begin, 1);
  const auto column_of = [&](planner::Time time) {
    const auto column =
        static_cast<double>(time - begin) / static_cast<double>(length) * static_cast<double>(columns);
    return std::min(static_cast<std::size_t>(column), columns - 1);
  };
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const std::size_t last = std::max(column_of(steps[i].begin), column_of(steps[i + 1].begin - 1));
    for (std::size_t column = column_of(steps[i].begin); column <= last; ++column)
      most[column] = std::max(most[column], steps[i].live);
  }
  return most;
}

std::string live_curve(const Picture& picture, Bytes top) {
  constexpr std::array<const char*, 9> kBars = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::vector<planner::LiveStep> steps = planner::live_bytes(picture.problem);
  std::string curve;
  for (const Bytes live : sampled(steps, kCurveColumns)) {
    const double share = static_cast<double>(live) / static_cast<double>(std::max<Bytes>(top, 1));
    const auto bar = static_cast<std::size_t>(std::lround(share * 8));
    curve += kBars.at(std::min(live > 0 ? std::max<std::size_t>(bar, 1) : 0, kBars.size() - 1));
  }
  return curve;
}

// Returns the status of a layout. A strategy places only the large blocks; cells and rounding come on top, so
// "optimal" holds for the large blocks alone.
std::string proved(const Picture& picture, const Layout& layout) {
  const bool with_more = layout.status == "optimal" && layout.height > picture.lower_bound;
  return with_more ? "optimal for the large blocks" : layout.status;
}

std::string layout_rows(const Picture& picture) {
  Rows rows = {{"layout", "height", "over the bound", "status", "seconds"}};
  for (const Layout& layout : picture.layouts)
    rows.push_back({layout.name, human_bytes(layout.height),
                    planner::over_bound(layout.height, picture.lower_bound), proved(picture, layout),
                    layout.seconds > 0 ? fmt::format("{:.3f}", layout.seconds) : ""});
  return table(rows, "    ");
}

std::string operator_rows(const Picture& picture) {
  Rows rows = {{"operator", "buffers", "bytes", "at the peak", "peak without"}};
  const auto ranking = planner::rank_operators(picture);
  const std::size_t shown = std::min(kOperatorsShown, ranking.size());
  for (std::size_t i = 0; i < shown; ++i)
    rows.push_back({picture.operators.names()[ranking[i].oper], fmt::format("{}", ranking[i].buffers),
                    human_bytes(ranking[i].bytes), human_bytes(ranking[i].at_peak),
                    human_bytes(ranking[i].peak_without)});
  std::string text = table(rows, "    ");
  if (shown < ranking.size()) text += fmt::format("    and {} more\n", ranking.size() - shown);
  return text;
}

std::string left_rows(const Picture& picture) {
  struct Sum {
    std::size_t allocations = 0;
    Bytes bytes = 0;
  };
  std::map<std::string, Sum> reasons;
  for (const planner::LeftToHeap& row : picture.left_to_heap) {
    reasons[row.reason].allocations += row.allocations;
    reasons[row.reason].bytes += row.bytes;
  }
  std::string text = fmt::format("  left to the heap  {} allocations\n", picture.unplanned);
  for (const auto& [reason, sum] : reasons)
    text += fmt::format("    {} of {}: {}\n", sum.allocations, human_bytes(sum.bytes), reason);
  return text;
}

// Returns the height that fills a column of the curve: that of the first layout that is a plan.
Bytes top_of_curve(const Picture& picture) {
  for (const Layout& layout : picture.layouts) {
    if (layout.kind == planner::LayoutKind::kPlan) return layout.height;
  }
  return picture.lower_bound;
}

std::string picture_text(const Picture& picture) {
  const Peak peak = planner::peak_of(picture.problem);
  std::string text =
      fmt::format("{} ({})\n  buffers           {} asking for {}\n  lower bound       {}\n", picture.title,
                  picture.source, picture.problem.buffers.size(),
                  human_bytes(planner::bytes_requested(picture)), human_bytes(picture.lower_bound));
  if (picture.shapes.are_of_structure())
    text += fmt::format("  shapes            {}\n", planner::describe(picture.shapes));
  if (picture.problem.buffers.empty()) return text + left_rows(picture);
  text += fmt::format("  live bytes        |{}|\n", live_curve(picture, top_of_curve(picture)));
  text += fmt::format("  forced at         time {}: {} in {} buffers\n", peak.during.begin,
                      human_bytes(peak.bytes), peak.buffers.size());
  return text + layout_rows(picture) + operator_rows(picture) + left_rows(picture);
}

std::string lanes_for_workers(const planner::ServedSample& sample) {
  const std::uint64_t lanes = sample.figure("worker_lanes");
  return lanes == 0 ? "" : fmt::format(" plus {} for workers", lanes);
}

std::string served_text(const ServedRun& run) {
  const planner::ServedSample& last = run.last();
  std::string text = fmt::format(
      "{}\n  served            {}{}; {} passes\n  slab              {} in {} lanes{}, {} of them "
      "used; {} blocks pinned\n",
      run.name, planner::served_amounts(last.judged()), last.is_steady() ? " in the steady state" : "",
      last.figure("passes"), human_bytes(static_cast<Bytes>(last.figure("slab_bytes"))), last.figure("lanes"),
      lanes_for_workers(last), last.figure("lanes_used"), last.figure("pinned"));
  for (const auto& [reason, count] : last.fallback)
    if (count > 0) text += fmt::format("  to the heap       {} {}\n", count, reason);
  return text;
}

std::string measured_text(const Measured& measured) {
  const std::array<const char*, 2> memory = {"resident_steady", "resident_peak"};
  Rows rows = {{"allocator", measured.speed_figure, "steady memory", "peak memory"}};
  for (const planner::MeasuredAllocator& allocator : measured.allocators) {
    std::vector<std::string>& row = rows.emplace_back(1, allocator.name);
    const auto speed = allocator.figures.find(measured.speed_figure);
    row.push_back(speed == allocator.figures.end() ? "-" : fmt::format("{:.4g}", speed->second.median));
    for (const char* figure : memory) {
      const auto found = allocator.figures.find(figure);
      row.push_back(found == allocator.figures.end() ? "-"
                                                     : human_bytes(static_cast<Bytes>(found->second.median)));
    }
  }
  return fmt::format("{}: {}\n", measured.name, measured.command) + table(rows, "    ");
}

// Writes each question once, before its first answer.
std::string answers_text(const planner::Report& report) {
  std::string text;
  std::string asked;
  for (const planner::Answer& answer : planner::answers_of(report)) {
    text += fmt::format("{:<20}  {}\n", answer.question == asked ? "" : answer.question, answer.text);
    asked = answer.question;
  }
  return text;
}

std::string changes_text(const planner::ChangeTable& changes) {
  Rows rows = {{changes.title, "before", "after", "change"}};
  const std::size_t shown = std::min(kChangesShown, changes.rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const planner::ChangedFigure& row = changes.rows[i];
    rows.push_back({row.name, planner::value_text(row.unit, row.before),
                    planner::value_text(row.unit, row.after), planner::change_text(row)});
  }
  std::string text = table(rows);
  if (shown < changes.rows.size()) text += fmt::format("and {} more\n", changes.rows.size() - shown);
  return text;
}

}  // namespace

std::string report_text(const planner::Report& report) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  if (const std::string answers = answers_text(report); !answers.empty()) add(answers);
  if (report.differences) {
    for (const planner::ChangeTable& changes : report.differences->tables) add(changes_text(changes));
  }
  for (const Picture& picture : report.pictures) add(picture_text(picture));
  for (const ServedRun& run : report.served) add(served_text(run));
  for (const Measured& measured : report.measured) add(measured_text(measured));
  for (const std::string& note : report.notes) add("note: " + note + "\n");
  return text;
}

}  // namespace memo::cli
