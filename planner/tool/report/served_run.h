// Reads the statistics of a served run (docs/statistics.md), from one moment or over time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner/tool/served/served.h"

namespace memo::planner {

// Figures counted since the start of the process.
struct ServedSample {
  // Figures by key; a figure of the heap is "heap.resident".
  std::map<std::string, std::uint64_t, std::less<>> figures;
  std::map<std::string, std::uint64_t, std::less<>> fallback;  // reason → allocations
  std::string plan;
  Served all;
  Served steady;  // after the warm-up

  [[nodiscard]] std::uint64_t figure(std::string_view key) const { return figures.find(key)->second; }
  [[nodiscard]] bool is_steady() const { return steady.passes != 0; }
  [[nodiscard]] const Served& judged() const { return is_steady() ? steady : all; }
};

// Holds one sample from a statistics file. Holds several, in the order of time, from a file with one object on
// each line, as when a script appends the statistics file to another file at intervals.
struct ServedRun {
  std::string name;
  std::vector<ServedSample> samples;  // at least one

  [[nodiscard]] const ServedSample& last() const { return samples.back(); }
};

// Reads the text. Throws std::runtime_error with the file and the first thing in it that is wrong.
[[nodiscard]] ServedRun read_served_run(std::string_view text, const std::string& name);

}  // namespace memo::planner
