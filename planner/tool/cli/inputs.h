// Reads traces and plans for the verbs. An unreadable file ends the command; a damaged trace is used, with a
// warning.
#pragma once

#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/trace/trace.h"

namespace memo::cli {

// The kind of a file, recognised by its first bytes.
enum class FileKind {
  kPlan,
  kJson,   // statistics, or the output of `compare --json`
  kCsv,    // an instance of the allocation problem
  kTrace,  // also any other file: the reader of traces says what is wrong with it
};
[[nodiscard]] FileKind kind_of(const std::string& path);

// Read the files. All throw Failure(kInput) with the file's name.
[[nodiscard]] std::vector<planner::Trace> read_traces(const std::vector<std::string>& paths);
// Returns what a damaged or unfinished trace lacks. The part that was read is used.
[[nodiscard]] std::vector<std::string> warnings_about(const planner::Trace& trace);
// Leaves the labels out, which no served pass has: for plans, and for replaying them.
[[nodiscard]] std::vector<planner::Trace> read_traces_as_served(const std::vector<std::string>& paths);
[[nodiscard]] planner::PlanDescription read_plan(const std::string& path);

}  // namespace memo::cli
