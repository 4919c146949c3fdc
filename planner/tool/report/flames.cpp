#include "planner/tool/report/flames.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "planner/system/base_name.h"
#include "planner/tool/report/operator_paths.h"
#include "planner/trace/trace.h"

namespace memo::planner {
namespace {

// Tells by the file's name, "python3.11" or "libpython3.11.so.1.0". A server that has the interpreter within is another file.
bool is_of_interpreter(const Trace& trace, const Site& frame) {
  if (frame.module >= trace.modules.size()) return false;
  const std::string_view file = base_name(trace.modules[frame.module].path);
  return file.starts_with("python") || file.starts_with("libpython");
}

// Returns the stack. Where it has functions of Python, those of the interpreter that pass calls on between them are left out. The
// ones that allocate stay: what they are called tells what for.
std::vector<Site> shown_frames(const Trace& trace, const std::vector<Site>& stack) {
  if (std::ranges::find(stack, kPythonModule, &Site::module) == stack.end()) return stack;
  const auto passes_calls_on = [&trace](const Site& frame) { return is_of_interpreter(trace, frame); };
  const auto callers = std::ranges::find_if_not(stack, passes_calls_on);
  std::vector<Site> shown(stack.begin(), callers);
  std::ranges::remove_copy_if(callers, stack.end(), std::back_inserter(shown), passes_calls_on);
  return shown;
}

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
