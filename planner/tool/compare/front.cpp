#include "planner/tool/compare/front.h"

#include <algorithm>

#include "planner/tool/compare/printed_figures.h"

namespace memo::compare {
namespace {

bool passes(const Standing& one, const Standing& other) {
  const bool as_good = one.speed >= other.speed && one.bytes <= other.bytes;
  return as_good && (one.speed > other.speed || one.bytes < other.bytes);
}

}  // namespace

void mark_front(std::vector<Standing>& standings) {
  for (Standing& standing : standings)
    standing.on_front =
        std::ranges::none_of(standings, [&](const Standing& other) { return passes(other, standing); });
}

std::string most_memory_figure(const Comparison& comparison) {
  const bool has_steady = std::ranges::any_of(comparison.subjects, [](const Subject& subject) {
    return !values_of(subject, "resident_high").empty();
  });
  return has_steady ? "resident_high" : "resident_peak";
}

void add_standing(std::vector<Standing>& standings, const std::string& name, const std::string& speed_figure,
                  double speed, double bytes) {
  if (speed <= 0) return;
  standings.push_back(
      {.name = name, .speed = more_is_better(speed_figure) ? speed : 1 / speed, .bytes = bytes});
}

std::vector<Standing> standings_of(const Comparison& comparison) {
  const std::string speed = speed_figure(comparison);
  const std::string memory = most_memory_figure(comparison);
  std::vector<Standing> standings;
  for (const Subject& subject : comparison.subjects) {
    const std::vector<double> speeds = values_of(subject, speed);
    const std::vector<double> bytes = values_of(subject, memory);
    if (speeds.empty() || bytes.empty()) continue;
    add_standing(standings, subject.allocator.name, speed, spread_of(speeds).median, spread_of(bytes).median);
  }
  mark_front(standings);
  return standings;
}

}  // namespace memo::compare
