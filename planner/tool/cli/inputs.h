// Traces and plans as the verbs take them: unreadable ones end the command, damaged ones are said and used.
#pragma once

#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/trace/trace.h"

namespace memo::cli {

// What a file holds, by its first bytes.
enum class FileKind {
  kPlan,
  kJson,   // statistics, or what `compare --json` printed
  kCsv,    // an instance of the allocation problem
  kTrace,  // or anything else: the reader of traces says what is wrong with it
};
[[nodiscard]] FileKind kind_of(const std::string& path);

// Both throw Failure(kInput) that names the file.
[[nodiscard]] std::vector<planner::Trace> read_traces(const std::vector<std::string>& paths);
[[nodiscard]] planner::PlanDescription read_plan(const std::string& path);

}  // namespace memo::cli
