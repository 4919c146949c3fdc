// The statistics of a served run (docs/statistics.md), once or over time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace memo::planner {

// Figures since the start of the process.
struct ServedSample {
  std::map<std::string, std::uint64_t, std::less<>> figures;   // by their keys, heap's as "heap.resident"
  std::map<std::string, std::uint64_t, std::less<>> fallback;  // reason → allocations
  std::string plan;

  [[nodiscard]] std::uint64_t figure(std::string_view key) const { return figures.find(key)->second; }
  [[nodiscard]] std::uint64_t missed() const;
  [[nodiscard]] double share() const;  // served of all, 1 for none
};

// One sample from a statistics file; several, in the order of time, from a file with one object on each line, as it
// comes of appending a statistics file to another now and then.
struct ServedRun {
  std::string name;
  std::vector<ServedSample> samples;  // at least one

  [[nodiscard]] const ServedSample& last() const { return samples.back(); }
};

// Throws std::runtime_error that names the file and the first thing which is not as it should be.
[[nodiscard]] ServedRun read_served_run(std::string_view text, const std::string& name);

}  // namespace memo::planner
