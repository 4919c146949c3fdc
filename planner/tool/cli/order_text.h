// Prints which order of operators would need less memory, for `memomalloc plan --reorder`.
#pragma once

#include <string>

#include "planner/steps/operator_order.h"
#include "planner/tool/report/flow_graph.h"

namespace memo::cli {

// Says what the advised order is worth, and names its operators from the first one on that runs at another time.
[[nodiscard]] std::string describe(const planner::FlowGraph& graph, const planner::OrderAdvice& advice);

}  // namespace memo::cli
