#include "planner/tool/cli/flow_text.h"

#include <fmt/format.h>

#include <vector>

#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using planner::human_bytes;

// Returns the numbers of the operators that each one reads from, "–" for none.
std::vector<std::string> sources_of(const planner::FlowGraph& graph) {
  std::vector<std::vector<planner::OperationIndex>> from(graph.nodes.size());
  for (const planner::FlowEdge& edge : graph.edges) from[edge.to].push_back(edge.from);
  std::vector<std::string> texts;
  texts.reserve(from.size());
  for (const auto& numbers : from)
    texts.push_back(numbers.empty() ? "–" : fmt::format("{}", fmt::join(numbers, " ")));
  return texts;
}

std::string figures(const planner::FlowGraph& graph) {
  return fmt::format("{} operators, {} edges, at most {} side by side", graph.nodes.size(),
                     graph.edges.size(), planner::widest_level(graph));
}

}  // namespace

std::string describe(const planner::FlowGraph& graph) {
  std::string text = fmt::format("data flow of pass {}: {}\n  {:>8} {:>12} {:>12}  {:<24}  {}\n", graph.pass,
                                 figures(graph), "operator", "writes", "from outside", "reads from", "name");
  const std::vector<std::string> sources = sources_of(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const planner::FlowNode& node = graph.nodes[i];
    text += fmt::format("  {:>8} {:>12} {:>12}  {:<24}  {}{}{}\n", i, human_bytes(node.written),
                        human_bytes(node.outside), sources[i], node.name, node.place.empty() ? "" : "  ",
                        node.place);
  }
  return text;
}

std::string describe_size(const planner::FlowGraph& graph) {
  return fmt::format("data flow of pass {}: {}; --data-flow prints it\n", graph.pass, figures(graph));
}

}  // namespace memo::cli
