// When a pass allocates, summed up over all passes that are alike, so that no order of the traces counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

struct PassTimes {
  std::uint64_t duration = 0;  // of all passes, in nanoseconds
  std::vector<std::uint64_t>
      begun;  // for each allocation, how long after its pass's begin it came; summed up likewise

  // Adds passes that make as many allocations.
  void add(const PassTimes& others);
};

[[nodiscard]] PassTimes times_of(const Pass& pass);

// Returns how many complete passes ran at once, at the most; 0 if the trace has no times.
[[nodiscard]] std::uint32_t most_at_once(std::span<const Pass> passes);

// Returns for each of so many allocations which share of the pass's time lies between it and the next one. Where no times are
// known, all have the same.
[[nodiscard]] std::vector<double> shares_of_time(const PassTimes& times, std::size_t allocations);

}  // namespace memo::planner
