// What a trace says of the data flow is what the reader gives, and the graph made of it has the edges that follow from who
// wrote what last. Random programs of reads and writes are compared with a model that keeps every version of a block.
#include "planner/trace/data_flow.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "tests/planner/trace/trace_builder.h"

namespace memo::planner {
namespace {

using memo::testing::flow_trace;
using Pairs = std::vector<std::pair<OperationIndex, OperationIndex>>;

Pairs pairs_of(const std::vector<FlowEdge>& edges) {
  Pairs pairs;
  for (const FlowEdge& edge : edges) pairs.emplace_back(edge.from, edge.to);
  return pairs;
}

Access access(std::uint64_t tagged) {
  return {.tagged = tagged, .size = 64};
}

Operation operation(const std::vector<std::uint64_t>& reads, const std::vector<std::uint64_t>& writes) {
  Operation made;
  for (const std::uint64_t tagged : reads) made.reads.push_back(access(tagged));
  for (const std::uint64_t tagged : writes) made.writes.push_back(access(tagged));
  return made;
}

TEST(DataFlow, TheReaderKnowsWhatEachOperatorReadAndWrote) {
  const Trace trace = parse_trace(flow_trace().bytes(), "flow.trace");
  EXPECT_TRUE(trace.damage.empty());
  ASSERT_EQ(trace.passes.size(), 2U);
  const Pass& pass = trace.passes[1];
  ASSERT_EQ(pass.operations.size(), 5U);
  EXPECT_EQ(trace.name(pass.operations[2].name), "pool");
  EXPECT_EQ(pass.operations[2].scope, 2U);
  ASSERT_EQ(pass.operations[0].reads.size(), 1U);
  EXPECT_EQ(pass.operations[0].reads[0].allocation, kNone);  // the input is no allocation of the pass
  EXPECT_EQ(pass.operations[0].reads[0].size, 64 << 10);
  EXPECT_EQ(pass.operations[2].reads[0].allocation, 0U);
  EXPECT_EQ(pass.operations[2].writes[0].allocation, 2U);
  EXPECT_EQ(pass.operations[2].ended, 3);
}

TEST(DataFlow, EdgesLeadFromTheLastWriter) {
  const Trace trace = parse_trace(flow_trace().bytes(), "flow.trace");
  EXPECT_EQ(pairs_of(flow_edges(trace.passes[0])), (Pairs{{0, 2}, {1, 3}, {2, 4}, {3, 4}}));
}

// The third reads what the second has changed in place, and nothing of the first any more.
TEST(DataFlow, WhatIsChangedInPlaceIsReadFromWhoChangedIt) {
  Pass pass;
  pass.operations = {operation({}, {1}), operation({1}, {1}), operation({1}, {2})};
  EXPECT_EQ(pairs_of(flow_edges(pass)), (Pairs{{0, 1}, {1, 2}}));
}

// The second reads what the third overwrites: no data goes from one to the other, and yet their order matters.
TEST(DataFlow, WhatIsReadMustBeReadBeforeItIsOverwritten) {
  Pass pass;
  pass.operations = {operation({}, {1}), operation({1}, {2}), operation({1}, {1})};
  EXPECT_EQ(pairs_of(flow_edges(pass)), (Pairs{{0, 1}, {0, 2}}));
  const RunOrder order(pass);
  EXPECT_TRUE(order.must_precede(1, 2));
  EXPECT_FALSE(order.are_independent(1, 2));
}

TEST(DataFlow, BranchesAreIndependent) {
  const RunOrder order(parse_trace(flow_trace().bytes(), "flow.trace").passes[0]);
  EXPECT_TRUE(order.are_independent(0, 1) && order.are_independent(0, 3) && order.are_independent(2, 3));
  EXPECT_TRUE(order.must_precede(0, 4));
  EXPECT_FALSE(order.are_independent(0, 2) || order.are_independent(3, 3));
}

TEST(DataFlow, AnImpossibleSizeIsDamage) {
  memo::testing::TraceBuilder build;
  build.pass_begin(1);
  build.operation(1);
  build.reads(memo::testing::tagged(1, 0x1000), std::uint64_t{1} << 60);
  build.pass_end(1);
  build.seal_events(1, 0);
  const Trace trace = parse_trace(build.bytes(), "broken.trace");
  EXPECT_EQ(trace.damage.size(), 1U);
  EXPECT_TRUE(trace.passes.at(0).operations.at(0).reads.empty());
}

// A version of a block is made by one operator. So an edge leads from there to each operator that reads this version.
RC_GTEST_PROP(DataFlow, AgreesWithVersionsOfBlocks, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 30);
  const auto some_blocks = [] {
    const auto drawn = *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 6));
    return std::set(drawn.begin(), drawn.end());
  };
  Pass pass;
  std::map<std::uint64_t, OperationIndex> version;
  std::set<std::pair<OperationIndex, OperationIndex>> expected;
  for (OperationIndex i = 0; i < count; ++i) {
    const std::set<std::uint64_t> reads = some_blocks();
    const std::set<std::uint64_t> writes = some_blocks();
    for (const std::uint64_t read : reads)
      if (version.contains(read)) expected.emplace(version[read], i);
    for (const std::uint64_t written : writes) version[written] = i;
    pass.operations.push_back(operation({reads.begin(), reads.end()}, {writes.begin(), writes.end()}));
  }
  const Pairs edges = pairs_of(flow_edges(pass));
  RC_ASSERT((std::set(edges.begin(), edges.end()) == expected));
  const RunOrder order(pass);
  for (const auto& [from, to] : edges) RC_ASSERT(order.must_precede(from, to));
}

}  // namespace
}  // namespace memo::planner
