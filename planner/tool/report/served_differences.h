// Compares two served runs: the shares served, and the reasons for the heap.
#pragma once

#include <span>

#include "planner/tool/report/changes.h"
#include "planner/tool/report/served_run.h"

namespace memo::planner {

// Both lists have at least one run. Those of one list are the processes of one server.
[[nodiscard]] Differences served_differences(std::span<const ServedRun> before,
                                             std::span<const ServedRun> after);

}  // namespace memo::planner
