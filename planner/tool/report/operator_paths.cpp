#include "planner/tool/report/operator_paths.h"

#include <string>

#include "planner/trace/labels.h"
#include "planner/trace/symbols.h"

namespace memo::planner {
namespace {

// Adds allocations to a tree, pass by pass.
class PathAdder {
 public:
  PathAdder(const Trace& trace, CallTree& tree) : tree_(tree) {
    for (const std::string& name : trace.names) names_.push_back(tree.name(readable_name(name)));
    outside_ = tree.name("outside operators");
  }

  void add(const CountedAllocation& one) {
    if (one.pass != pass_) begin(*one.pass);
    const ScopeIndex scope = one.made->scope;
    const std::uint32_t node = scope == kNone ? tree_.child(CallNode::kNoParent, outside_) : nodes_[scope];
    tree_.add(node, 1, one.made->size);
  }

 private:
  // Finds the path of each scope. A scope comes after the one around it.
  void begin(const Pass& pass) {
    pass_ = &pass;
    nodes_.clear();
    for (const Scope& scope : pass.scopes) {
      const std::uint32_t parent = scope.parent == kNone ? CallNode::kNoParent : nodes_[scope.parent];
      nodes_.push_back(tree_.child(parent, names_[scope.name]));
    }
  }

  CallTree& tree_;
  std::vector<std::uint32_t> names_;  // NameIndex → number in the tree
  std::uint32_t outside_ = 0;
  const Pass* pass_ = nullptr;
  std::vector<std::uint32_t> nodes_;  // ScopeIndex → path, in the pass
};

}  // namespace

CallTree by_operator(const Trace& trace, const std::vector<CountedAllocation>& counted) {
  CallTree tree;
  PathAdder adder(trace, tree);
  for (const CountedAllocation& one : counted) adder.add(one);
  return tree;
}

std::vector<ScopeIndex> outermost_operators(const Trace& trace, const Pass& pass) {
  std::vector<ScopeIndex> outermost;
  outermost.reserve(pass.scopes.size());
  for (const Scope& scope : pass.scopes) {
    const ScopeIndex around = scope.parent == kNone ? kNone : outermost[scope.parent];
    const auto itself = static_cast<ScopeIndex>(outermost.size());
    const std::string_view name = trace.name(scope.name);
    const bool is_operator = !is_label(name) || names_operator(name);
    outermost.push_back(around != kNone ? around : is_operator ? itself : kNone);
  }
  return outermost;
}

}  // namespace memo::planner
