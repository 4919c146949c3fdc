// Prints the data flow of a pass for `memomalloc inspect`.
#pragma once

#include <string>

#include "planner/tool/report/flow_graph.h"

namespace memo::cli {

// Returns a row for each operator: its number, those that it reads from, what it writes, its name and place.
[[nodiscard]] std::string describe(const planner::FlowGraph& graph);

// Returns one line that says how large the graph is, and how to see it.
[[nodiscard]] std::string describe_size(const planner::FlowGraph& graph);

}  // namespace memo::cli
