// Contention phases, the search over them, and its limits.
#include "planner/literature/telamalloc.h"

#include <gtest/gtest.h>

#include "planner/literature/tela_phases.h"
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

TEST(Telamalloc, PlansAreValidAroundFixedBuffersAndMixedAlignments) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Problem problem = random_problem(seed, 50, Alignments::kMixed);
    problem.buffers.push_back({.life = {10, 150}, .size = 256, .alignment = 64, .fixed = 512});
    EXPECT_TRUE(is_valid(problem, kTelamalloc.solve(problem, {.nodes = 5'000}).offsets)) << "seed " << seed;
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
