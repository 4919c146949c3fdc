// Reads back what `memomalloc compare --json` measured.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner/tool/compare/front.h"
#include "planner/tool/compare/resident.h"
#include "planner/tool/compare/statistics.h"

namespace memo::planner {

struct MeasuredAllocator {
  std::string name;
  // The keys are "requests_per_second", "latency_ms.p99", "resident_peak", ….
  std::map<std::string, compare::Spread> figures;
  // The judged allocator's figures as multiples of this one's. The keys are "times_as_fast", ….
  std::map<std::string, compare::Ratio> ratios;
  std::vector<compare::MemoryPoint> memory;  // resident bytes during one run; empty if they were not recorded
};

struct Measured {
  std::string name;  // the name of the file
  std::string command;
  std::size_t runs = 0;
  std::string speed_figure;
  std::map<std::string, std::string> machine;
  std::vector<MeasuredAllocator> allocators;  // at least one
  std::vector<compare::Standing> standings;   // of those that have both figures
};

// Reads the text. Throws std::runtime_error with the file and the first thing in it that is wrong.
[[nodiscard]] Measured read_measured(std::string_view text, const std::string& name);

}  // namespace memo::planner
