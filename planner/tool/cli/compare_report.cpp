#include "planner/tool/cli/compare_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "planner/tool/cli/colours.h"
#include "planner/tool/cli/text_table.h"
#include "planner/tool/compare/front.h"
#include "planner/tool/compare/printed_figures.h"

namespace memo::cli {
namespace {

using compare::Comparison;
using compare::Ratio;
using compare::Subject;
using Json = nlohmann::ordered_json;

constexpr double kKibibyte = 1024.0;
constexpr double kMebibyte = 1024.0 * kKibibyte;
constexpr double kMilliseconds = 1e3;

struct Column {
  std::string title;
  std::string figure;
  double unit = 1;
};

// Returns " ms" for "latency_ms.p50", and "" where the name says no unit.
std::string unit_of(const std::string& figure) {
  const std::string group = figure.substr(0, figure.rfind('.'));
  for (const char* unit : {"ns", "us", "ms", "s", "seconds"}) {
    if (group != figure && group.ends_with(fmt::format("_{}", unit))) return fmt::format(" {}", unit);
  }
  return "";
}

// Returns the columns of the table: first the speed figures that the program prints, then those that `compare`
// measures, the most interesting first.
std::vector<Column> columns_of(const Comparison& comparison) {
  std::vector<Column> columns;
  const auto& figures = comparison.subjects.front().runs.front().figures;
  for (const auto& [name, value] : figures) {
    const std::string last = name.substr(name.rfind('.') + 1);  // "p50" of "latency_ms.p50"
    const bool percentile = last.size() > 1 && last[0] == 'p' && last[1] >= '0' && last[1] <= '9';
    if (compare::more_is_better(name) || percentile) columns.push_back({last + unit_of(name), name, 1});
  }
  columns.insert(columns.end(), {{"seconds", "seconds", 1},
                                 {"system s", "system_seconds", 1},
                                 {"faults", "minor_faults", 1},
                                 {"switches", "switches", 1},
                                 {"steady MiB", "resident_steady", kMebibyte},
                                 {"high MiB", "resident_high", kMebibyte},
                                 {"mean MiB", "resident_average", kMebibyte},
                                 {"peak MiB", "resident_peak", kMebibyte}});
  std::erase_if(columns, [&](const Column& column) { return !figures.contains(column.figure); });
  return columns;
}

std::string number(double value) {
  if (value >= 1000) return fmt::format("{:.0f}", value);
  return value >= 100 ? fmt::format("{:.1f}", value) : fmt::format("{:.3g}", value);
}

std::string median_cell(const Subject& subject, const Column& column) {
  const std::vector<double> values = compare::values_of(subject, column.figure);
  return values.empty() ? "-" : number(compare::spread_of(values).median / column.unit);
}

// Returns true if the interval says that there is a difference.
bool is_shown(const Ratio& ratio) {
  return ratio.bounded && (ratio.low > 1 || ratio.high < 1);
}

std::string ratio_cell(const std::optional<Ratio>& ratio) {
  if (!ratio) return "-";
  if (!ratio->bounded) return fmt::format("{:.3f}", ratio->value);
  if (!is_shown(*ratio)) return fmt::format("not shown ({:.3f}-{:.3f})", ratio->low, ratio->high);
  return fmt::format("{:.3f} ({:.3f}-{:.3f})", ratio->value, ratio->low, ratio->high);
}

Rows figures_table(const Comparison& comparison) {
  const std::vector<Column> columns = columns_of(comparison);
  Rows rows(1, {"median of the runs"});
  for (const Column& column : columns) rows[0].push_back(column.title);
  for (const Subject& subject : comparison.subjects) {
    rows.push_back({std::string(subject.allocator.name)});
    for (const Column& column : columns) rows.back().push_back(median_cell(subject, column));
  }
  return rows;
}

// Returns the subject that the ratios judge: "serve" if it was measured, else "off".
const Subject* judged(const Comparison& comparison) {
  const Subject* serve = comparison.find(compare::kServe);
  return serve != nullptr ? serve : comparison.find(compare::kOff);
}

// Returns the subject that the text compares with all others: ours, or the first where only others were measured.
const Subject& compared_with_others(const Comparison& comparison) {
  const Subject* ours = judged(comparison);
  return ours != nullptr ? *ours : comparison.subjects.front();
}

Rows ratio_table(const Comparison& comparison, const Subject& ours) {
  const std::string speed = compare::speed_figure(comparison);
  Rows rows(1, {fmt::format("{} against", ours.allocator.name), fmt::format("times as fast ({})", speed),
                "steady memory", "peak memory"});
  for (const Subject& subject : comparison.subjects) {
    if (&subject == &ours) continue;
    rows.push_back({std::string(subject.allocator.name),
                    ratio_cell(compare::speed_ratio(ours, subject, speed)),
                    ratio_cell(compare::figure_ratio(ours, subject, "resident_steady")),
                    ratio_cell(compare::figure_ratio(ours, subject, "resident_peak"))});
  }
  return rows;
}

// Returns "1.26 ± 0.03 times as fast as", or the interval where it is wide: it is not symmetric then.
std::string times_as_fast(const Ratio& ratio) {
  const double margin = std::max(ratio.high - ratio.value, ratio.value - ratio.low);
  const int digits = margin < 0.01 ? 3 : 2;
  const std::string times = margin < ratio.value / 4
                                ? fmt::format("{:.{}f} \u00b1 {:.{}f}", ratio.value, digits, margin, digits)
                                : fmt::format("{:.2f} to {:.2f}", ratio.low, ratio.high);
  return coloured(times, ratio.value > 1 ? Colour::kGood : Colour::kBad) + " times as fast as";
}

// Says in a sentence what a ratio of speeds shows.
std::string speed_sentence(const std::string& ours, const std::string& other,
                           const std::optional<Ratio>& ratio) {
  if (!ratio)
    return fmt::format("{} against {}: a run has no figure for its speed, so nothing is shown", ours, other);
  if (!ratio->bounded)
    return fmt::format("{} against {}: one run of each shows nothing; give --runs 5", ours, other);
  if (is_shown(*ratio)) return fmt::format("{} is {} {}", ours, times_as_fast(*ratio), other);
  return fmt::format(
      "{} against {}: no difference in speed is shown ({:.2f} to {:.2f}); more --runs may show one", ours,
      other, ratio->low, ratio->high);
}

// Says for each other allocator what its ratio shows.
std::string speed_sentences(const Comparison& comparison, const Subject& ours) {
  const std::string speed = compare::speed_figure(comparison);
  std::string text = "\n";
  for (const Subject& subject : comparison.subjects) {
    if (&subject == &ours) continue;
    text += speed_sentence(ours.allocator.name, subject.allocator.name,
                           compare::speed_ratio(ours, subject, speed)) +
            '\n';
  }
  return text;
}

// Names the allocators that no other passes. Returns "" where there is nothing to compare.
std::string front_line(const Comparison& comparison) {
  std::vector<std::string> names;
  const std::vector<compare::Standing> standings = compare::standings_of(comparison);
  for (const compare::Standing& standing : standings)
    if (standing.on_front) names.push_back(standing.name);
  if (standings.size() < 2) return "";
  return fmt::format("{:<12} {}: by the medians, none is both as fast and as lean ({}, {})\n", "front",
                     fmt::join(names, ", "), compare::speed_figure(comparison),
                     compare::most_memory_figure(comparison));
}

// Returns true if the programs were asked in turn, so that it is known what a line takes.
bool knows_lines(const Comparison& comparison) {
  return std::ranges::any_of(comparison.subjects, [](const Subject& subject) {
    return subject.locks && subject.locks->operations_a_line;
  });
}

// Returns the locks with at least a hundredth of all operations, the busiest first.
std::vector<std::pair<std::string, compare::LockSums>> busiest_first(
    const compare::JemallocStatistics& heap) {
  const double enough = heap.all_locks().operations / 100;
  std::vector<std::pair<std::string, compare::LockSums>> taken;
  for (const auto& [name, sums] : heap.locks) {
    if (sums.operations > 0 && sums.operations >= enough) taken.emplace_back(name, sums);
  }
  std::ranges::stable_sort(taken, std::greater{}, [](const auto& lock) { return lock.second.operations; });
  return taken;
}

std::vector<std::string> locks_row(const Subject& subject, bool lines) {
  const compare::JemallocStatistics& heap = subject.locks->whole;
  const compare::LockSums all = heap.all_locks();
  const std::optional<double> hits = heap.cache_hits();
  std::vector<std::string> row{subject.allocator.name, number(all.wait_seconds),
                               number(all.longest_wait_seconds * kMilliseconds), number(all.operations)};
  if (lines) row.push_back(number(*subject.locks->all_operations_a_line()));
  row.insert(row.end(), {number(heap.arenas), number(heap.cached_bytes / kKibibyte),
                         hits ? fmt::format("{:.2f} %", 100 * *hits) : "none"});
  return row;
}

Rows locks_table(const Comparison& comparison) {
  const bool lines = knows_lines(comparison);
  Rows rows(1, {"locks and thread caches", "waited s", "longest ms", "lock operations"});
  if (lines) rows[0].emplace_back("for each line");
  rows[0].insert(rows[0].end(), {"arenas", "cached KiB", "cache hits"});
  for (const Subject& subject : comparison.subjects) {
    if (subject.locks) rows.push_back(locks_row(subject, lines));
  }
  return rows;
}

Rows lock_classes_table(const Comparison& comparison) {
  const bool lines = knows_lines(comparison);
  Rows rows(1, {"lock", "of", "waited s", "longest ms", "lock operations"});
  if (lines) rows[0].emplace_back("for each line");
  for (const Subject& subject : comparison.subjects) {
    if (!subject.locks) continue;
    for (const auto& [name, sums] : busiest_first(subject.locks->whole)) {
      rows.push_back({name, subject.allocator.name, number(sums.wait_seconds),
                      number(sums.longest_wait_seconds * kMilliseconds), number(sums.operations)});
      if (lines) rows.back().push_back(number(subject.locks->operations_a_line->at(name)));
    }
  }
  return rows;
}

Json ratio_json(const std::optional<Ratio>& ratio) {
  if (!ratio) return nullptr;
  if (!ratio->bounded) return {{"value", ratio->value}};
  return {{"value", ratio->value}, {"low", ratio->low}, {"high", ratio->high}};
}

Json figures_json(const Subject& subject) {
  Json figures = Json::object();
  for (const auto& [name, unused] : subject.runs.front().figures) {
    const std::vector<double> values = compare::values_of(subject, name);
    if (values.empty()) continue;
    const compare::Spread spread = compare::spread_of(values);
    figures[name] = {{"median", spread.median},
                     {"least", spread.least},
                     {"greatest", spread.greatest},
                     {"values", values}};
  }
  return figures;
}

Json lock_sums_json(const compare::LockSums& sums) {
  return {{"operations", sums.operations},
          {"wait_seconds", sums.wait_seconds},
          {"longest_wait_seconds", sums.longest_wait_seconds}};
}

// "cache_hits" is null where there is no thread cache, and "operations_a_line" is there for programs asked in turn.
Json locks_json(const compare::HeapLocks& locks) {
  const compare::JemallocStatistics& heap = locks.whole;
  Json json = lock_sums_json(heap.all_locks());
  if (const std::optional<double> each = locks.all_operations_a_line()) json["operations_a_line"] = *each;
  json["arenas"] = heap.arenas;
  json["cached_bytes"] = heap.cached_bytes;
  json["cached_requests"] = heap.cached_requests;
  json["cache_fills"] = heap.cache_fills;
  const std::optional<double> hits = heap.cache_hits();
  json["cache_hits"] = hits ? Json(*hits) : Json(nullptr);
  json["by_lock"] = Json::object();
  for (const auto& [name, sums] : heap.locks) {
    json["by_lock"][name] = lock_sums_json(sums);
    if (locks.operations_a_line)
      json["by_lock"][name]["operations_a_line"] = locks.operations_a_line->at(name);
  }
  return json;
}

Json subject_json(const Comparison& comparison, const Subject& subject) {
  const compare::Allocator& allocator = subject.allocator;
  Json json = {{"name", allocator.name},
               {"library", allocator.library},
               {"settings", compare::settings_text(allocator)},
               {"figures", figures_json(subject)}};
  const Subject* ours = judged(comparison);
  if (ours != nullptr && ours != &subject) {
    json["times_as_fast"] =
        ratio_json(compare::speed_ratio(*ours, subject, compare::speed_figure(comparison)));
    json["steady_memory"] = ratio_json(compare::figure_ratio(*ours, subject, "resident_steady"));
    json["peak_memory"] = ratio_json(compare::figure_ratio(*ours, subject, "resident_peak"));
  }
  if (!subject.runs.front().turns.empty()) {
    json["turns"] = Json::array();  // milliseconds for each line, one list for each run
    for (const compare::MeasuredRun& run : subject.runs) json["turns"].push_back(run.turns);
  }
  json["resident_over_time"] = Json::array();  // [seconds, bytes] in the first round
  for (const compare::MemoryPoint& point : subject.runs.front().memory)
    json["resident_over_time"].push_back({point.seconds, point.bytes});
  if (subject.locks) json["locks"] = locks_json(*subject.locks);
  return json;
}

}  // namespace

std::string compare_text(const CompareReport& report) {
  const Comparison& comparison = report.comparison;
  std::string text = table(figures_table(comparison));
  if (const Subject& one = compared_with_others(comparison); comparison.subjects.size() > 1)
    text += "\n" + table(ratio_table(comparison, one)) + speed_sentences(comparison, one);
  if (const Rows locks = locks_table(comparison); locks.size() > 1)
    text += "\n" + table(locks) + "\n" + table(lock_classes_table(comparison));
  text += "\n" + front_line(comparison);
  for (const auto& [name, value] : report.machine) text += fmt::format("{:<12} {}\n", name, value);
  text += fmt::format(
      "{:<12} {} of each, every round with another allocator first; ratios with 95 % confidence\n", "runs",
      comparison.subjects.front().runs.size());
  if (report.share && report.share->judged.allocations() > 0)
    text +=
        fmt::format("{:<12} {}, inside passes{}\n", "served", planner::served_shares(report.share->judged),
                    report.share->steady ? " of the steady state" : "");
  if (!comparison.subjects.front().runs.front().answers.empty())
    text += fmt::format(
        "{:<12} {}\n", "answers",
        comparison.same_answers ? "the same in every run" : coloured("NOT THE SAME", Colour::kBad));
  return text;
}

Json compare_json(const CompareReport& report) {
  const Comparison& comparison = report.comparison;
  Json json;
  json["command"] = report.command;
  json["runs"] = comparison.subjects.front().runs.size();
  json["speed_figure"] = compare::speed_figure(comparison);
  json["same_answers"] = comparison.same_answers;
  json["machine"] = Json::object();
  for (const auto& [name, value] : report.machine) json["machine"][name] = value;
  if (report.share) {
    json["served_share"] = report.share->judged.share();
    json["served_share_of_bytes"] = report.share->judged.share_of_bytes();
  }
  json["front"] = Json::array();  // the allocators that none passes in both speed and most memory
  for (const compare::Standing& standing : compare::standings_of(comparison))
    if (standing.on_front) json["front"].push_back(standing.name);
  json["allocators"] = Json::array();
  for (const Subject& subject : comparison.subjects)
    json["allocators"].push_back(subject_json(comparison, subject));
  return json;
}

}  // namespace memo::cli
