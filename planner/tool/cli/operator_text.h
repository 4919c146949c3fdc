// Describes for people what operators ask for.
#pragma once

#include <string>

#include "planner/tool/report/trace_summary.h"

namespace memo::cli {

// Returns a line for each path of operators, largest first at each level, with the bytes and the share of all that is inside.
// Leaves out paths with less than a hundredth of all bytes, and says how many.
[[nodiscard]] std::string operator_tree(const planner::CallTree& tree);

// Says how much lies in no operator, which no table by operators explains.
[[nodiscard]] std::string describe_outside(const planner::TraceSummary& summary);

}  // namespace memo::cli
