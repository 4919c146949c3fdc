#include "planner/trace/labels.h"

#include <vector>

namespace memo::planner {
namespace {

// Returns for each scope of the pass its number without the labels; for a label that of the innermost scope around it that
// is none, or kNone. A scope comes after the one around it.
std::vector<ScopeIndex> numbers_without_labels(const Trace& trace, const Pass& pass) {
  std::vector<ScopeIndex> numbers;
  numbers.reserve(pass.scopes.size());
  ScopeIndex next = 0;
  for (const Scope& scope : pass.scopes) {
    const ScopeIndex around = scope.parent == kNone ? kNone : numbers[scope.parent];
    numbers.push_back(is_label(trace.name(scope.name)) ? around : next++);
  }
  return numbers;
}

void renumber(ScopeIndex& scope, const std::vector<ScopeIndex>& numbers) {
  if (scope != kNone) scope = numbers[scope];
}

void leave_out_labels(const Trace& trace, Pass& pass) {
  const std::vector<ScopeIndex> numbers = numbers_without_labels(trace, pass);
  for (Allocation& allocation : pass.allocations) renumber(allocation.scope, numbers);
  for (Operation& operation : pass.operations) renumber(operation.scope, numbers);
  for (Scope& scope : pass.scopes) renumber(scope.parent, numbers);
  std::erase_if(pass.scopes, [&trace](const Scope& scope) { return is_label(trace.name(scope.name)); });
}

}  // namespace

bool is_label(std::string_view name) {
  return name.size() > 2 && name.front() == '[' && name.back() == ']';
}

bool names_node(std::string_view label) {
  return is_label(label) && label.ends_with(")]") && label.find(" (") != std::string_view::npos;
}

bool names_operator(std::string_view label) {
  return names_node(label) || (is_label(label) && label.substr(1).starts_with("_Z"));
}

void leave_out_labels(Trace& trace) {
  for (Pass& pass : trace.passes) leave_out_labels(trace, pass);
}

}  // namespace memo::planner
