// A thousand instances of 20 to 400 buffers whose optimum is known (see oracles/rectangle.h). Every strategy must stay
// valid and above it; whoever claims a proof must be right.
#include "tests/planner/registry/oracles/rectangle.h"

#include "tests/planner/registry/oracles/strategies.h"

namespace memo::planner {
namespace {

constexpr std::uint32_t kInstances = 1000;
constexpr std::uint64_t kNodes = 500;
constexpr int kLeastProved = kInstances / 4;

TEST(CutRectangle, IsFullAtEveryMoment) {
  for (std::uint32_t number = 0; number < kInstances; ++number) {
    const CutRectangle rectangle = cut_rectangle(number);
    ASSERT_EQ(peak_live_bytes(rectangle.problem), rectangle.height);
    std::int64_t area = 0;
    for (const Buffer& buffer : rectangle.problem.buffers) area += buffer.life.length() * buffer.size;
    ASSERT_EQ(area, rectangle.height * 1000);
  }
}

class Rectangle : public EveryStrategy {};

// How many of them it solved to the optimum stands in the report of the test run (--gtest_output=xml).
TEST_P(Rectangle, StaysValidAndProvesOnlyTheTruth) {
  int proved = 0;
  for (std::uint32_t number = 0; number < kInstances; ++number) {
    const CutRectangle rectangle = cut_rectangle(number);
    const Outcome outcome = strategy().solve(rectangle.problem, node_limits(kNodes));
    ASSERT_EQ(wrong_with(rectangle.problem, outcome), "") << "instance " << number;
    ASSERT_TRUE(has_plan(outcome)) << "instance " << number;
    ASSERT_EQ(outcome.lower_bound, rectangle.height) << "instance " << number;
    ASSERT_GE(outcome.height, rectangle.height) << "instance " << number;
    if (outcome.status == Status::kOptimal) ++proved;
  }
  RecordProperty("proved", proved);
  if (!strategy().exact) return;
  EXPECT_GE(proved, kLeastProved) << "an exact search that finds so few has lost its way";
}

INSTANTIATE_TEST_SUITE_P(All, Rectangle, testing::ValuesIn(every_cheap_name()), test_name);

}  // namespace
}  // namespace memo::planner
