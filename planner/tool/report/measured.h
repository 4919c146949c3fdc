// What `memomalloc compare --json` measured, read back.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner/tool/compare/resident.h"
#include "planner/tool/compare/statistics.h"

namespace memo::planner {

struct MeasuredAllocator {
  std::string name;
  std::map<std::string, compare::Spread>
      figures;  // "requests_per_second", "latency_ms.p99", "resident_peak", …
  std::map<std::string, compare::Ratio> ratios;  // of the one that is judged to this one: "times_as_fast", …
  std::vector<compare::MemoryPoint> memory;      // resident, of one run; empty where it was not recorded
};

struct Measured {
  std::string name;  // of the file
  std::string command;
  std::size_t runs = 0;
  std::string speed_figure;
  std::map<std::string, std::string> machine;
  std::vector<MeasuredAllocator> allocators;  // at least one
};

// Throws std::runtime_error that names the file and the first thing which is not as it should be.
[[nodiscard]] Measured read_measured(std::string_view text, const std::string& name);

}  // namespace memo::planner
