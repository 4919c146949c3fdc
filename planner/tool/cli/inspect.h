// Prints what `memomalloc inspect` shows of each kind of file.
#pragma once

#include <string>

#include "planner/plan/plan_description.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/passes_by.h"
#include "planner/tool/report/trace_summary.h"

namespace memo::cli {

// `passes` says in which way the trace's passes were found. Its `way` is "" if they are the recorded ones.
[[nodiscard]] std::string describe(const PassesBy& passes, const planner::Trace& trace,
                                   const planner::TraceSummary& summary);
[[nodiscard]] std::string to_json(const PassesBy& passes, const planner::Trace& trace,
                                  const planner::TraceSummary& summary);

// Describes the shapes that a variant serves. Returns "" for a single shape.
[[nodiscard]] std::string describe_shapes(const planner::PlanVariantDescription& variant);
[[nodiscard]] std::string describe(const std::string& path, const planner::PlanDescription& plan);
[[nodiscard]] std::string to_json(const std::string& path, const planner::PlanDescription& plan);

// Returns the pass as an instance of the allocation problem (planner/problem/csv.h), with the columns scope and
// site.
[[nodiscard]] std::string pass_to_csv(const planner::Trace& trace, const planner::Pass& pass);

// Prints the folded call stacks of a trace (--stacks).
int inspect_stacks(const Options& options, const std::string& path);

}  // namespace memo::cli
