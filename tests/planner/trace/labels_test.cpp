// Without its labels a pass has the operators that a served pass has: each block lies in the innermost of them around it. Random
// trees of scopes are compared with what the chain of parents says.
#include "planner/trace/labels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "planner/trace/symbols.h"

namespace memo::planner {
namespace {

constexpr NameIndex kOperator = 1;
constexpr NameIndex kLabel = 2;

Trace with_names() {
  Trace trace;
  trace.names = {"?", "conv2d", "[layer1.0.conv2]"};
  return trace;
}

// A pass with a block in each scope, and one outside of them. Lives tell the scopes apart.
Pass with_scopes(const std::vector<std::pair<NameIndex, ScopeIndex>>& scopes) {
  Pass pass;
  pass.allocations.emplace_back();
  for (const auto& [name, parent] : scopes) {
    const auto number = static_cast<ScopeIndex>(pass.scopes.size());
    pass.allocations.emplace_back().scope = number;
    pass.scopes.push_back({.name = name, .parent = parent, .life = {number, number + 1}});
  }
  return pass;
}

// The life of the innermost operator around a scope; kNone if there is none.
Time operator_around(const Pass& pass, ScopeIndex scope, NameIndex label) {
  while (scope != kNone && pass.scopes[scope].name == label) scope = pass.scopes[scope].parent;
  return scope == kNone ? Time{kNone} : pass.scopes[scope].life.begin;
}

Time begin_of(const Pass& pass, ScopeIndex scope) {
  return scope == kNone ? Time{kNone} : pass.scopes.at(scope).life.begin;
}

TEST(Labels, StandInBrackets) {
  EXPECT_TRUE(is_label("[conv2]"));
  for (const char* name : {"", "[", "[]", "conv2", "[conv2", "conv2]", "_ZN2at6conv2dE"})
    EXPECT_FALSE(is_label(name)) << name;
}

TEST(Labels, OfNodesAreOperatorsAndKeepTheirTypes) {
  EXPECT_TRUE(names_node("[conv1 (Conv)]"));
  EXPECT_TRUE(names_operator("[conv1 (Conv)]"));
  EXPECT_EQ(readable_name("[/features/conv (fused)/Conv (Conv)]"), "/features/conv (fused)/Conv (Conv)");
  for (const char* name : {"[conv1]", "[conv1(Conv)]", "conv1 (Conv)", "[_ZN2at6conv2dEv]"})
    EXPECT_FALSE(names_node(name)) << name;
}

TEST(Labels, GoFromBetweenOperators) {
  Trace trace = with_names();
  trace.passes.push_back(with_scopes({{kLabel, kNone}, {kOperator, 0}, {kLabel, 1}, {kOperator, 2}}));
  leave_out_labels(trace);
  const Pass& pass = trace.passes[0];
  ASSERT_EQ(pass.scopes.size(), 2U);
  EXPECT_EQ(pass.scopes[0].parent, kNone);
  EXPECT_EQ(pass.scopes[1].parent, 0U);
  const std::vector<ScopeIndex> wanted = {kNone, kNone, 0, 0, 1};
  for (std::size_t block = 0; block < wanted.size(); ++block)
    EXPECT_EQ(pass.allocations[block].scope, wanted[block]);
}

RC_GTEST_PROP(Labels, LeaveEachBlockInTheOperatorAroundIt, ()) {
  std::vector<std::pair<NameIndex, ScopeIndex>> scopes;
  const auto count = *rc::gen::inRange<ScopeIndex>(0, 40);
  for (ScopeIndex at = 0; at < count; ++at) {
    const auto parent = *rc::gen::inRange<ScopeIndex>(0, at + 1);
    scopes.emplace_back(*rc::gen::element(kOperator, kLabel), parent == at ? kNone : parent);
  }
  Trace trace = with_names();
  trace.passes.push_back(with_scopes(scopes));
  const Pass before = trace.passes[0];
  leave_out_labels(trace);
  const Pass& after = trace.passes[0];
  for (const Scope& scope : after.scopes) {
    RC_ASSERT(scope.name == kOperator);
    const Scope& was = before.scopes[static_cast<std::size_t>(scope.life.begin)];
    RC_ASSERT(begin_of(after, scope.parent) == operator_around(before, was.parent, kLabel));
  }
  for (std::size_t block = 0; block < after.allocations.size(); ++block)
    RC_ASSERT(begin_of(after, after.allocations[block].scope) ==
              operator_around(before, before.allocations[block].scope, kLabel));
}

}  // namespace
}  // namespace memo::planner
