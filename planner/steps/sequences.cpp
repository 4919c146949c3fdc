#include "planner/steps/sequences.h"

#include <limits>

namespace memo::planner {

Nested sequence_of(const Member& member, StepContexts& contexts) {
  const Pass& pass = *member.pass;
  const auto name = [&](ScopeIndex scope) {
    return scope == kNone ? std::string() : std::string(member.view->trace->name(pass.scopes[scope].name));
  };
  Nested sequence;
  ScopeIndex scope = 0;
  const auto begin_scopes_until = [&](Time position) {
    for (; scope < pass.scopes.size() && pass.scopes[scope].life.begin <= position; ++scope) {
      sequence.steps.push_back(
          {.context = contexts.add({.is_scope = true, .scope = name(scope), .site = {}})});
      sequence.around.push_back(pass.scopes[scope].parent);
    }
  };
  for (const Allocation& made : pass.allocations) {
    begin_scopes_until(made.life.begin);
    const StepContext context{
        .is_scope = false, .scope = name(made.scope), .site = member.view->site(made.site)};
    sequence.steps.push_back({.context = contexts.add(context), .size = made.size});
    sequence.around.push_back(made.scope);
  }
  begin_scopes_until(std::numeric_limits<Time>::max());
  return sequence;
}

}  // namespace memo::planner
