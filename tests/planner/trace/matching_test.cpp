// The frees that no thread settles alone: each finds its allocation by tag and clock, and lies where the clock says in the pass
// that made the block.
#include "planner/trace/matching.h"

#include <gtest/gtest.h>

namespace memo::planner {
namespace {

constexpr std::uint64_t kTag = 0x1'7f00'0000'1000;

// A trace of one pass with events at ticks 10, 20, 30 … , and of what the replay of its threads left over.
class Matching : public ::testing::Test {
 protected:
  Matching() {
    trace_.passes.emplace_back();
    left_.passes.emplace_back();
    left_.passes[0].end_ticks = 100;
  }

  // Makes a block in the pass.
  void make(std::uint64_t tagged, std::uint64_t ticks) {
    Pass& pass = trace_.passes[0];
    Allocation made;
    made.tagged = tagged;
    made.life.begin = pass.events++;
    pass.allocations.push_back(made);
    left_.passes[0].position_ticks.push_back(ticks);
    left_.passes[0].allocation_ticks.push_back(ticks);
  }

  void make_outside(std::uint64_t tagged, std::uint64_t ticks) {
    trace_.outside.emplace_back().tagged = tagged;
    left_.outside_ticks.push_back(ticks);
  }

  void free(std::uint64_t tagged, std::uint64_t ticks, std::uint8_t flags = 0) {
    left_.frees.push_back({tagged, ticks, 7, flags});
  }

  void match() { match_frees(trace_, TraceContext{}, left_); }

  [[nodiscard]] const Allocation& made(std::size_t index) const {
    return trace_.passes[0].allocations[index];
  }

  Trace trace_;
  Unmatched left_;
};

TEST_F(Matching, PutsAFreeWhereTheClockSays) {
  for (std::uint64_t ticks = 10; ticks <= 40; ticks += 10) make(kTag + ticks, ticks);
  free(kTag + 10, 35, trace::kFreedOverrun);
  free(kTag + 30, 31);
  match();
  EXPECT_TRUE(made(0).freed && made(0).overrun && !made(0).escapes);
  EXPECT_EQ(made(0).life.end, 3);
  EXPECT_EQ(made(0).freed_by, 7U);
  EXPECT_EQ(made(2).life.end, 3) << "a life has one position at least";
  EXPECT_FALSE(made(1).freed || made(3).freed);
  EXPECT_EQ(trace_.unmatched_frees, 0U);
}

TEST_F(Matching, LetsABlockEscapeThatIsFreedAfterThePass) {
  make(kTag, 10);
  free(kTag, 101);
  match();
  EXPECT_TRUE(made(0).freed && made(0).escapes);
}

TEST_F(Matching, TakesTheYoungestBlockBeforeTheFree) {
  make(kTag, 10);
  make(kTag, 30);
  make_outside(kTag, 50);
  free(kTag, 55);
  free(kTag, 35);
  match();
  EXPECT_FALSE(made(0).freed) << "its free is not in the trace";
  EXPECT_TRUE(made(1).freed);
  EXPECT_TRUE(trace_.outside[0].freed);
}

// Clocks of two threads may differ by a little.
TEST_F(Matching, TakesABlockThatSeemsToComeAfterItsFree) {
  make(kTag, 10);
  free(kTag, 9);
  match();
  EXPECT_TRUE(made(0).freed);
}

TEST_F(Matching, TakesNoYoungerBlockWhereTheRightOneMayBeOverwritten) {
  trace_.overwritten = true;
  make(kTag, 10);
  free(kTag, 9);
  match();
  EXPECT_FALSE(made(0).freed);
  EXPECT_EQ(trace_.unmatched_frees, 0U) << "nothing tells whether it should be in the trace";
}

TEST_F(Matching, CountsFreesWithoutABlock) {
  make(kTag, 10);
  free(kTag, 20);
  free(kTag, 30);
  free(kTag + 16, 20);
  match();
  EXPECT_TRUE(made(0).freed);
  EXPECT_EQ(trace_.unmatched_frees, 2U);
}

}  // namespace
}  // namespace memo::planner
