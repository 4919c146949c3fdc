// Contention phases, the search over them, and its limits.
#include "planner/literature/telamalloc.h"

#include <gtest/gtest.h>

#include "planner/literature/tela_bounds.h"
#include "planner/literature/tela_phases.h"
#include "planner/literature/tela_returns.h"
#include "planner/solve/canonical.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

// Live bytes: 10 at time 1, 9 to the right of the valley at 4. a and b meet at the peak; d and e, at 9 of 10, are
// of its level but in another stretch; c lives only where 2 bytes are alive.
TEST(Telamalloc, PhasesAreStretchesOfHighContention) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 6},
                                    {.life = {1, 2}, .size = 4},
                                    {.life = {2, 4}, .size = 2},
                                    {.life = {4, 6}, .size = 5},
                                    {.life = {4, 6}, .size = 5}},
                        .capacity = {}};
  EXPECT_EQ(contention_phases(problem), (std::vector<std::vector<BufferIndex>>{{0, 1}, {3, 4}, {2}}));
}

//   y y y      The first try takes the longest-lived buffer, w, then y for its size, then x on top, and z (4 bytes,
//   x x z      beside y's last moment) no longer fits below 8. It goes back to a decision that z overlaps, puts z
//   w w w z    first, and finds the plan of height 8.
TEST(Telamalloc, ReturnsToTheDecisionAtFault) {
  const Problem problem{.buffers = {{.life = {1, 4}, .size = 2},
                                    {.life = {2, 4}, .size = 3},
                                    {.life = {2, 5}, .size = 3},
                                    {.life = {4, 5}, .size = 4}},
                        .capacity = {}};
  const Outcome outcome = kTelamalloc.solve(problem, {});
  EXPECT_EQ(outcome.height, 8);
  EXPECT_EQ(outcome.status, Status::kOptimal);
}

//   5 +-----+        The fixed buffer keeps b, of 2 bytes, at 1 or above. Below a, of 3 bytes, b would push it out of the 5,
//     |  b  |        so b must lie above a, and a stays at the bottom. Nothing is placed yet: without propagation b could
//   3 +-----+        be anywhere above 1.
//     |   a       |
//   0 |  fixed: before a
TEST(TelaBounds, AnOrderFollowsFromBoundsOfUnplacedBuffers) {
  const Problem problem{.buffers = {{.life = {1, 4}, .size = 3},
                                    {.life = {0, 3}, .size = 2},
                                    {.life = {0, 1}, .size = 1, .fixed = 0}},
                        .capacity = {}};
  TelaBounds bounds(problem, true);
  ASSERT_TRUE(bounds.begin(5));
  EXPECT_EQ(bounds.least(), (Offsets{0, 3, 0}));
  EXPECT_EQ(bounds.room(0), 0);
  EXPECT_EQ(bounds.room(1), 0);
  TelaBounds placed_only(problem, false);
  ASSERT_TRUE(placed_only.begin(5));
  EXPECT_EQ(placed_only.least(), (Offsets{0, 1, 0}));
}

TEST(TelaBounds, TwoBuffersThatFitInNoOrderFailAtOnce) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 3}, {.life = {1, 3}, .size = 3}},
                        .capacity = {}};
  TelaBounds bounds(problem, true);
  EXPECT_FALSE(bounds.begin(5));
  EXPECT_TRUE(bounds.begin(6));
}

// Buffer 0 shares no moment with the others, and buffer 1 leaves no room for buffer 2.
TEST(TelaBounds, BlamesThePlacementsThatHadAPart) {
  const Problem problem{.buffers = {{.life = {5, 6}, .size = 4},
                                    {.life = {0, 2}, .size = 2},
                                    {.life = {1, 3}, .size = 4, .alignment = 4},
                                    {.life = {2, 4}, .size = 3}},
                        .capacity = {}};
  TelaBounds bounds(problem, false);
  ASSERT_TRUE(bounds.begin(7));
  ASSERT_TRUE(bounds.place(0));
  const std::size_t mark = bounds.mark();
  EXPECT_FALSE(bounds.place(1));
  EXPECT_EQ(bounds.failed(), 2u);
  EXPECT_EQ(bounds.blamed(), std::vector<BufferIndex>{1});
  bounds.take_back(1, mark);
  EXPECT_EQ(bounds.least(), (Offsets{0, 0, 0, 0}));
  EXPECT_TRUE(bounds.place(2)) << "nothing of the failure is left";
}

// Bounds leave out no plan: a proved optimum lies within them, at first and while it is placed from the bottom up.
TEST(TelaBounds, NeverExcludeAnOptimalPlan) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Problem problem = random_problem(seed, 12, Alignments::kMixed);
    const Outcome optimum = kCanonical.solve(problem, {});
    ASSERT_EQ(optimum.status, Status::kOptimal);
    TelaBounds bounds(problem, true);
    ASSERT_TRUE(bounds.begin(optimum.height)) << "seed " << seed;
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      EXPECT_LE(bounds.least()[i], optimum.offsets[i]) << "seed " << seed;
      EXPECT_GE(bounds.least()[i] + bounds.room(i), optimum.offsets[i]) << "seed " << seed;
    }
  }
}

TEST(TelaReturns, GoToTheLatestTargetThatIsLikelyElseToTheLikeliest) {
  const auto target = [](std::size_t depth, double share) {
    return ReturnTarget{depth, {share, 0.5, 0, 0, 0, 0, 0, 0, 1}};
  };
  ASSERT_LT(kReturnModel.log_odds(target(9, 0.9).features), 0);
  ASSERT_GT(kReturnModel.log_odds(target(2, 0.2).features), 0);
  const std::vector<ReturnTarget> some{target(9, 0.9), target(2, 0.2), target(1, 0.1)};
  EXPECT_EQ(likely_target({{}, some}), 1u);
  const std::vector<ReturnTarget> none{target(9, 0.9), target(8, 0.8)};
  EXPECT_EQ(likely_target({{}, none}), 1u);
  EXPECT_EQ(latest_target({{}, some}), 0u);
}

TEST(Telamalloc, PlansAreValidAroundFixedBuffersAndMixedAlignments) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Problem problem = random_problem(seed, 50, Alignments::kMixed);
    problem.buffers.push_back({.life = {10, 150}, .size = 256, .alignment = 64, .fixed = 512});
    EXPECT_TRUE(is_valid(problem, kTelamalloc.solve(problem, {.nodes = 5'000}).offsets)) << "seed " << seed;
    const TelaRules without{.propagates = false, .returns = latest_target};
    EXPECT_TRUE(is_valid(problem, solve_telamalloc(problem, {.nodes = 5'000}, without).offsets));
  }
}

TEST(Telamalloc, TheSameNodesGiveTheSamePlan) {
  const Problem problem = random_problem(6, 80);
  EXPECT_EQ(kTelamalloc.solve(problem, {.nodes = 9'000}).offsets,
            kTelamalloc.solve(problem, {.nodes = 9'000}).offsets);
}

// More nodes never make it worse: every probe looks only below the best plan.
TEST(Telamalloc, IsAnytime) {
  const Problem problem = random_problem(12, 100);
  const Bytes soon = kTelamalloc.solve(problem, {.nodes = 100}).height;
  EXPECT_LE(kTelamalloc.solve(problem, {.nodes = 50'000}).height, soon);
}

TEST(Telamalloc, RefusesMoreConflictsThanItCanKeep) {
  Problem problem;
  for (int i = 0; i < 10'100; ++i) problem.buffers.push_back({.life = {0, 1}, .size = 1, .fixed = {}});
  EXPECT_NE(kTelamalloc.refusal(problem), "");
}

}  // namespace
}  // namespace memo::planner
