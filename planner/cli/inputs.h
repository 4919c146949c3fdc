// Traces and plans as the verbs take them: unreadable ones end the command, damaged ones are said and used.
#pragma once

#include <string>
#include <vector>

#include "planner/trace/trace.h"
#include "planner/variants/plan_description.h"

namespace memo::cli {

// Both throw Failure(kInput) that names the file.
[[nodiscard]] std::vector<planner::Trace> read_traces(const std::vector<std::string>& paths);
[[nodiscard]] planner::PlanDescription read_plan(const std::string& path);

}  // namespace memo::cli
