// The parts that a problem repeats are found, planned once, and lie as blocks in the plan around them.
#include "planner/literature/nnc_sub_graphs.h"

#include <gtest/gtest.h>

#include "planner/literature/nnc_page.h"
#include "planner/literature/sub_graphs.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

std::optional<SubGraph> part_of(const Problem& problem) {
  Budget budget = Budget::of_time({});
  return find_sub_graph(problem, budget);
}

// Adds a call of six moments: an output that the next call reads, and three buffers that die in the call.
void add_call(Problem& problem, Time begin, Bytes output) {
  problem.buffers.push_back({.life = {begin, begin + 7}, .size = output});
  problem.buffers.push_back({.life = {begin + 1, begin + 3}, .size = 40});
  problem.buffers.push_back({.life = {begin + 2, begin + 4}, .size = 30});
  problem.buffers.push_back({.life = {begin + 4, begin + 6}, .size = 50});
}

Problem calls(int count, Bytes output = 100) {
  Problem problem;
  for (int call = 0; call < count; ++call) add_call(problem, 6 * call, output);
  return problem;
}

TEST(SubGraphs, HoldWhatDiesWithinACall) {
  const std::optional<SubGraph> part = part_of(calls(3));
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->calls, (std::vector<std::vector<BufferIndex>>{{1, 2, 3}, {5, 6, 7}, {9, 10, 11}}));
}

TEST(SubGraphs, AreAlikeInSizesAndOverlaps) {
  Problem problem = calls(2);
  problem.buffers[6].size = 31;
  EXPECT_FALSE(part_of(problem).has_value());
  problem = calls(2);
  problem.buffers[5].life.end = 8;  // no longer beside the one after it
  const std::optional<SubGraph> part = part_of(problem);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->calls, (std::vector<std::vector<BufferIndex>>{{2, 3}, {6, 7}}));
}

TEST(SubGraphs, AreNoneWhereNothingIsRepeated) {
  EXPECT_FALSE(part_of(calls(1)).has_value());
  EXPECT_FALSE(part_of({}).has_value());
}

// 100 bytes of one output beside 100 of the next, while the 70 bytes of the call in between are one block.
TEST(NncSubGraphs, LayOutEachCallAlike) {
  const Problem problem = calls(5);
  const Offsets offsets = kNncSubGraphs.solve(problem, {}).offsets;
  ASSERT_TRUE(is_valid(problem, offsets));
  for (std::size_t call = 1; call < 5; ++call)
    for (std::size_t inside = 2; inside < 4; ++inside)
      EXPECT_EQ(offsets[4 * call + inside] - offsets[4 * call + 1], offsets[inside] - offsets[1]);
}

// A part of three calls of a part: only the outer one is repeated as a whole, with a buffer between its calls.
TEST(NncSubGraphs, RecurseIntoSubGraphsOfSubGraphs) {
  Problem problem;
  for (int outer = 0; outer < 4; ++outer) {
    const Time begin = 30 * outer;
    problem.buffers.push_back({.life = {begin, begin + 20}, .size = 7});
    for (int inner = 0; inner < 3; ++inner) add_call(problem, begin + 1 + 6 * inner, 9);
    problem.buffers.push_back({.life = {begin + 25, begin + 29}, .size = Bytes{500} + outer});
  }
  const Outcome outcome = kNncSubGraphs.solve(problem, {});
  EXPECT_TRUE(is_valid(problem, outcome.offsets));
  EXPECT_EQ(outcome.height, 503) << "what is repeated takes far less";
}

// A block has the bytes of its largest moment all along. Only the second buffer of a call could lie where what came before it was.
TEST(NncSubGraphs, CostWhatABlockLeavesIdle) {
  Problem problem;
  for (const Time begin : {Time{0}, Time{10}}) {
    problem.buffers.push_back({.life = {begin, begin + 5}, .size = 60 - begin / 10});
    problem.buffers.push_back({.life = {begin + 3, begin + 9}, .size = 40});
    problem.buffers.push_back({.life = {begin + 6, begin + 9}, .size = 60});
  }
  EXPECT_EQ(kNncPage.solve(problem, {}).height, 100);
  const Outcome outcome = kNncSubGraphs.solve(problem, {});
  EXPECT_TRUE(is_valid(problem, outcome.offsets));
  EXPECT_EQ(outcome.height, 160);
}

TEST(NncSubGraphs, AreValidOnRandomProblemsThatRepeatThemselves) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const int count = 2 + static_cast<int>(seed % 20);
    const Problem once = random_problem(seed, count, Alignments::kMixed);
    Problem problem = random_problem(seed + 1000, 8, Alignments::kMixed);
    for (int call = 0; call < 4; ++call) {
      for (Buffer buffer : once.buffers) {
        buffer.life.begin += Time{call} * 10 * count;
        buffer.life.end += Time{call} * 10 * count;
        problem.buffers.push_back(buffer);
      }
    }
    EXPECT_TRUE(is_valid(problem, kNncSubGraphs.solve(problem, {}).offsets)) << "seed " << seed;
  }
}

TEST(NncSubGraphs, StopWhenTheTimeIsUp) {
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(kNncSubGraphs.solve(random_problem(1, 300), {.cancel = &cancelled}).status, Status::kTimeout);
}

}  // namespace
}  // namespace memo::planner
