// Judges in words what a run was served, and says what to do about the most frequent reason for the heap.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "planner/tool/report/served_run.h"
#include "planner/tool/served/served.h"

namespace memo::planner {

struct ServedVerdict {
  std::string sentence;
  std::string advice;  // "" where there is nothing to do
};

// Judges by what no pass keeps: nothing can be done about the rest. `judged` are the passes to judge, those of the steady state
// where there were some; `fallback` has the allocations that went to the heap, by reason; `aside` is the share of the passes that
// serving stood aside for, which say nothing about the plan; `little` says that the slab is next to nothing beside the heap.
[[nodiscard]] ServedVerdict verdict_of(const Served& judged,
                                       const std::map<std::string, std::uint64_t, std::less<>>& fallback,
                                       double aside = 0, bool little = false);

[[nodiscard]] ServedVerdict verdict_of(const ServedSample& sample);

// Returns a share of passes; 0 where there were none.
[[nodiscard]] double share_of_passes(std::uint64_t some, std::uint64_t all);

}  // namespace memo::planner
