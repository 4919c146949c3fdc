// Compares what two reports show: two traces, two plans, or the statistics of two served runs.
#pragma once

#include "planner/tool/report/changes.h"
#include "planner/tool/report/report.h"

namespace memo::planner {

// Returns what changed from `before` to `after`. Several served runs on one side are the processes of one server, and are
// added up. Throws std::runtime_error where the two sides have nothing of one kind.
[[nodiscard]] Differences differences_between(const Report& before, const Report& after);

}  // namespace memo::planner
