#include "planner/tool/report/flames.h"

#include <algorithm>
#include <map>

#include "planner/tool/report/operator_paths.h"
#include "planner/tool/report/shown_frames.h"

namespace memo::planner {
namespace {

constexpr const char* kCallStacks = "call stacks";
constexpr const char* kOperators = "operators";

bool has_operators(const Trace& trace) {
  return std::ranges::any_of(trace.passes, [](const Pass& pass) { return !pass.scopes.empty(); });
}

// What graphs are made of: some allocations, and how a reader is told of them.
struct Choice {
  std::string counted;
  std::string passes;
  std::vector<CountedAllocation> allocations;
};

// Adds call stacks to a tree, and finds the name of each function once.
class StackAdder {
 public:
  StackAdder(const Trace& trace, Symbolizer& symbols, CallTree& tree)
      : trace_(trace), symbols_(symbols), tree_(tree) {}

  void add(StackIndex stack, const Total& total) {
    tree_.add(node_of(stack), total.allocations, total.bytes);
  }

 private:
  std::uint32_t node_of(StackIndex stack) {
    if (stack == kNone || trace_.stacks[stack].empty())
      return tree_.child(CallNode::kNoParent, tree_.name("no call stack"));
    const std::vector<Site> frames = shown_frames(trace_, trace_.stacks[stack]);
    std::uint32_t node = CallNode::kNoParent;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      node = tree_.child(node, name_of(*frame));
    return node;
  }

  std::uint32_t name_of(const Site& frame) {
    const auto [at, fresh] = names_.try_emplace(frame, 0);
    if (fresh) at->second = tree_.name(symbols_.name(frame));
    return at->second;
  }

  const Trace& trace_;
  Symbolizer& symbols_;
  CallTree& tree_;
  std::map<Site, std::uint32_t> names_;
};

void add_graphs(const Trace& trace, const std::vector<Choice>& choices, Flames& flames) {
  Symbolizer symbols(trace);
  for (const Choice& one : choices) {
    if (has_stacks(trace))
      flames.graphs.push_back(
          {kCallStacks, one.counted, one.passes, by_call_stack(trace, one.allocations, symbols)});
    if (has_operators(trace))
      flames.graphs.push_back({kOperators, one.counted, one.passes, by_operator(trace, one.allocations)});
  }
}

}  // namespace

bool has_stacks(const Trace& trace) {
  return std::ranges::any_of(trace.stacks, [](const auto& frames) { return !frames.empty(); });
}

CallTree by_call_stack(const Trace& trace, const std::vector<CountedAllocation>& counted,
                       Symbolizer& symbols) {
  std::map<StackIndex, Total> totals;
  for (const CountedAllocation& one : counted) {
    Total& total = totals[one.made->stack];
    ++total.allocations;
    total.bytes += one.made->size;
  }
  CallTree tree;
  StackAdder adder(trace, symbols, tree);
  for (const auto& [stack, total] : totals) adder.add(stack, total);
  return tree;
}

Flames flames_of(const Trace& trace, const TraceSummary& summary) {
  Flames flames{.source = trace.path, .graphs = {}};
  add_graphs(trace,
             {{"asked for", describe_counted(summary), asked_for(summary.counted)},
              {"alive at the peak", "the pass with the highest peak", alive_at_peak(summary.counted)}},
             flames);
  return flames;
}

void add_missed(const Trace& served, const std::vector<CountedAllocation>& missed, Flames& flames) {
  add_graphs(served, {{"sent to the heap", "the passes after the plan's warm-up", missed}}, flames);
}

}  // namespace memo::planner
