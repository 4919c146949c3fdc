// Moving buffers onto bytes that were just freed must change nothing but their places: the plan stays valid, its height
// does not grow, fixed buffers stay, and it is never colder than before.
#include "planner/solve/locality.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "planner/check/check.h"
#include "planner/registry/registry.h"
#include "tests/planner/problem/random_problem.h"

namespace memo::planner {
namespace {

RC_GTEST_PROP(Locality, KeepsAPlanValidAndItsHeight, ()) {
  const Problem problem = test::random_problem(
      {.most_buffers = 12, .alignments = *rc::gen::arbitrary<bool>(), .fixed = *rc::gen::arbitrary<bool>()});
  const Outcome plan = find_strategy("greedy-size")->solve(problem, {});
  const Offsets warmed = prefer_recent_bytes(problem, plan.offsets);
  RC_ASSERT(check_by_pairs(problem, warmed).sentence == "");
  RC_ASSERT(height(problem, warmed) <= plan.height);
  RC_ASSERT(warmth(problem, warmed) >= warmth(problem, plan.offsets));
}

// a lives throughout. b dies as c is born, and c has been put above b's bytes although it fits on them.
TEST(Locality, TakesTheBytesThatWereFreedLast) {
  const Problem problem{.buffers = {{.life = {0, 9}, .size = 4},
                                    {.life = {0, 3}, .size = 8},
                                    {.life = {3, 6}, .size = 8},
                                    {.life = {0, 1}, .size = 8}},
                        .capacity = {}};
  const Offsets cold = {0, 4, 12, 12};
  const Offsets warmed = prefer_recent_bytes(problem, cold);
  EXPECT_EQ(warmed, (Offsets{0, 4, 4, 12}));
  EXPECT_GT(warmth(problem, warmed), warmth(problem, cold));
}

TEST(Locality, LeavesWhatNothingWasFreedFor) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 4}, {.life = {0, 2}, .size = 8}},
                        .capacity = {}};
  EXPECT_EQ(prefer_recent_bytes(problem, {8, 0}), (Offsets{8, 0}));
  EXPECT_EQ(warmth(problem, {8, 0}), 0);
}

}  // namespace
}  // namespace memo::planner
