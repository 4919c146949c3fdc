#include "planner/tool/report/flames.h"

#include <algorithm>
#include <map>

namespace memo::planner {
namespace {

constexpr const char* kCallStacks = "call stacks";

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
    const std::vector<Site>& frames = trace_.stacks[stack];
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
  if (!has_stacks(trace)) return flames;
  Symbolizer symbols(trace);
  flames.graphs.push_back({kCallStacks, "asked for", describe_counted(summary),
                           by_call_stack(trace, asked_for(summary.counted), symbols)});
  flames.graphs.push_back({kCallStacks, "alive at the peak", "the pass with the highest peak",
                           by_call_stack(trace, alive_at_peak(summary.counted), symbols)});
  return flames;
}

void add_missed(const Trace& served, const std::vector<CountedAllocation>& missed, Flames& flames) {
  if (!has_stacks(served)) return;
  Symbolizer symbols(served);
  flames.graphs.push_back({kCallStacks, "sent to the heap", "the passes after the plan's warm-up",
                           by_call_stack(served, missed, symbols)});
}

}  // namespace memo::planner
