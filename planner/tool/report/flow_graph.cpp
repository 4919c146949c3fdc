#include "planner/tool/report/flow_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "planner/trace/labels.h"
#include "planner/trace/symbols.h"

namespace memo::planner {
namespace {

std::string place_of(const Trace& trace, const Pass& pass, ScopeIndex scope) {
  std::string place;
  for (; scope != kNone; scope = pass.scopes[scope].parent) {
    const std::string name(trace.name(pass.scopes[scope].name));
    if (!is_label(name) || names_operator(name)) continue;
    place = place.empty() ? name : fmt::format("{} › {}", name, place);
  }
  return place;
}

// Returns the bytes of the accesses, each allocation once.
template <typename Counts>
Bytes bytes_of(const std::vector<Access>& accesses, Counts counts) {
  std::set<std::uint64_t> seen;
  Bytes bytes = 0;
  for (const Access& access : accesses)
    if (counts(access) && seen.insert(access.tagged).second) bytes += access.size;
  return bytes;
}

void add_nodes(const Trace& trace, const Pass& pass, FlowGraph& graph) {
  std::set<std::uint64_t> written;
  for (const Operation& operation : pass.operations) {
    const auto is_outside = [&](const Access& access) { return !written.contains(access.tagged); };
    graph.nodes.push_back({.name = readable_name(std::string(trace.name(operation.name))),
                           .place = place_of(trace, pass, operation.scope),
                           .outside = bytes_of(operation.reads, is_outside),
                           .written = bytes_of(operation.writes, [](const Access&) { return true; })});
    for (const Access& access : operation.writes) written.insert(access.tagged);
  }
}

}  // namespace

FlowGraph flow_graph(const Trace& trace, const Pass& pass) {
  FlowGraph graph{.source = trace.path, .pass = pass.number, .nodes = {}, .edges = flow_edges(pass)};
  add_nodes(trace, pass, graph);
  for (const FlowEdge& edge : graph.edges)  // sorted by `to`, so the level of `from` is final
    graph.nodes[edge.to].level = std::max(graph.nodes[edge.to].level, graph.nodes[edge.from].level + 1);
  return graph;
}

const Pass* pass_with_flow(const TraceSummary& summary) {
  const auto last = std::find_if(summary.counted.rbegin(), summary.counted.rend(),
                                 [](const Pass* pass) { return !pass->operations.empty(); });
  return last == summary.counted.rend() ? nullptr : *last;
}

std::size_t widest_level(const FlowGraph& graph) {
  std::map<std::uint32_t, std::size_t> count;
  std::size_t widest = 0;
  for (const FlowNode& node : graph.nodes) widest = std::max(widest, ++count[node.level]);
  return widest;
}

}  // namespace memo::planner
