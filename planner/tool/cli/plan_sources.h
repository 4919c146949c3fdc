// Reads the traces that a plan is made from, which may be those of hundreds of replicas. A worker for each core reads one
// trace after the other, and passes that are alike are dropped at once (planner/steps/distinct_passes.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planner/steps/distinct_passes.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/passes_by.h"
#include "planner/tool/cli/progress.h"

namespace memo::cli {

struct PlanSources {
  planner::DistinctPasses passes;
  PassesBy by;
  std::size_t traces = 0;  // those that could be read
  std::size_t unreadable = 0;
};

// Reads the files into `sources`. A trace that cannot be read costs a warning; where none can be read, throws
// Failure(kInput). The result does not depend on the order of the paths, nor on the number of threads.
void read_sources(const std::vector<std::string>& paths, const Options& options, ProgressLine& line,
                  PlanSources& sources);

}  // namespace memo::cli
