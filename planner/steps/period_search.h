// Searches the steps of threads for all anchors whose passes recur.
#pragma once

#include <span>
#include <vector>

#include "planner/period/period.h"
#include "planner/problem/deadline.h"
#include "planner/steps/thread_steps.h"

namespace memo::planner {

// The result of a search: the passes in the threads' own steps.
struct Findings {
  Contexts contexts;
  std::vector<Period> periods;

  // Returns the least share of what its threads allocate that the passes of an anchor make.
  [[nodiscard]] double covered() const;
};

// Looks at the sizes first: where they come back, they tell passes apart that share their sites.
[[nodiscard]] Findings find_passes(std::span<const TraceThread> threads, std::span<const TraceView> views,
                                   Deadline& deadline);

}  // namespace memo::planner
