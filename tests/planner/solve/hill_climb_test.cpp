// The hill climber leaves its first plan where it can, keeps to its limits, and repeats itself.
#include "planner/solve/hill_climb.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

//   first plan                  after y and x swap their positions
//        x x                          y y y
//        x x z z   9                  y y y     8
//      y y y|z|                     x x  z
//    w w w   y                    w w w  z
//    1 2 3 4                      1 2 3 4        w and y are urgent and long, so they come first; z then has
//    to
//                                                stand on y.
Problem four_buffers() {
  return {.buffers = {{.life = {1, 4}, .size = 2},
                      {.life = {2, 4}, .size = 3},
                      {.life = {2, 5}, .size = 3},
                      {.life = {4, 5}, .size = 4}},
          .capacity = {}};
}

TEST(HillClimb, StartsWithFirstFitByUrgency) {
  EXPECT_EQ(kHillClimb.solve(four_buffers(), {.nodes = 1}).offsets, (Offsets{0, 5, 2, 5}));
}

TEST(HillClimb, ClimbsToTheOptimum) {
  const Outcome outcome = kHillClimb.solve(four_buffers(), {});
  EXPECT_EQ(outcome.offsets, (Offsets{0, 2, 5, 0}));
  EXPECT_EQ(outcome.status, Status::kOptimal);
}

TEST(HillClimb, NeverEndsAboveItsFirstPlan) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Problem problem = random_problem(seed, 40, Alignments::kMixed);
    const Outcome first = kHillClimb.solve(problem, {.nodes = 1});
    const Outcome climbed = kHillClimb.solve(problem, {.nodes = 20'000});
    EXPECT_TRUE(is_valid(problem, climbed.offsets)) << "seed " << seed;
    EXPECT_LE(climbed.height, first.height) << "seed " << seed;
  }
}

TEST(HillClimb, TheSameSeedAndNodesGiveTheSamePlan) {
  const Problem problem = random_problem(11, 60);
  const Limits limits{.nodes = 30'000, .seed = 4};
  EXPECT_EQ(kHillClimb.solve(problem, limits).offsets, kHillClimb.solve(problem, limits).offsets);
}

TEST(HillClimb, KeepsTheBestPlanWhenCancelled) {
  const Problem problem = random_problem(11, 60);
  const std::atomic<bool> cancel = true;
  const Outcome outcome = kHillClimb.solve(problem, {.cancel = &cancel});
  EXPECT_TRUE(is_valid(problem, outcome.offsets));
}

TEST(HillClimb, ClimbsAroundFixedBuffers) {
  Problem problem = random_problem(9, 40, Alignments::kMixed);
  problem.buffers.push_back({.life = {0, 100}, .size = 100, .alignment = 4, .fixed = 1000});
  EXPECT_TRUE(is_valid(problem, kHillClimb.solve(problem, {.nodes = 20'000}).offsets));
}

TEST(HillClimb, NothingToPlaceIsOptimal) {
  EXPECT_EQ(kHillClimb.solve({}, {}).status, Status::kOptimal);
}

}  // namespace
}  // namespace memo::planner
