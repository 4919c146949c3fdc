// The data flow of a pass as it is shown: operators by name, and what they hand on to each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/tool/report/trace_summary.h"
#include "planner/trace/data_flow.h"

namespace memo::planner {

struct FlowNode {
  std::string name;         // "aten::convolution"
  std::string place;        // the labels around it, such as modules: "[layer1.0] › [layer1.0.conv1]"
  std::uint32_t level = 0;  // the most operators on a path that leads to it
  Bytes outside = 0;        // bytes that it reads and no operator wrote: weights, inputs
  Bytes written = 0;
};

struct FlowGraph {
  std::string source;  // the trace's file
  std::uint64_t pass = 0;
  std::vector<FlowNode> nodes;  // in the order the operators ended
  std::vector<FlowEdge> edges;
};

[[nodiscard]] FlowGraph flow_graph(const Trace& trace, const Pass& pass);

// Returns the pass whose data flow stands for the trace: the last of those that the summary counts and that have any; null
// where none has.
[[nodiscard]] const Pass* pass_with_flow(const TraceSummary& summary);

// Returns how many operators stand on one level at the most.
[[nodiscard]] std::size_t widest_level(const FlowGraph& graph);

}  // namespace memo::planner
