// Ejection lowers plans, never spoils them, keeps to its limits, and repeats itself.
#include "planner/solve/ejection.h"

#include <gtest/gtest.h>

#include <atomic>

#include "planner/placing/random.h"
#include "planner/problem/bounds.h"
#include "planner/solve/strip_packing.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

// Long lives of many sizes: simple heuristics end several percent over the bound here.
Problem long_lives(std::size_t count) {
  Random random(7);
  Problem problem;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<Time>(i / 2);
    const bool is_long = random.below(4) == 0;
    const auto length = static_cast<Time>(1 + random.below(is_long ? count / 4 : 20));
    const Bytes size = Bytes{64} << random.below(12);
    problem.buffers.push_back(
        {.life = {begin, begin + length}, .size = size + 64, .alignment = 64, .fixed = {}});
  }
  return problem;
}

TEST(Ejection, EndsFarBelowThePlanItStartsFrom) {
  const Problem problem = long_lives(2'000);
  const auto bound = static_cast<double>(lower_bound(problem));
  const auto over = [&](Bytes height) { return static_cast<double>(height) / bound - 1; };
  const Outcome outcome = kEjection.solve(problem, {.nodes = 100'000});
  EXPECT_TRUE(is_valid(problem, outcome.offsets));
  EXPECT_LT(over(outcome.height), over(kStripPacking.solve(problem, {}).height) / 3);
}

// One buffer in ten lives long, and sizes hardly repeat. Without the window around the peak, ejection ends 1.4 % over the bound.
TEST(Ejection, MeetsTheBoundWhereThePeakIsTheWholeDifficulty) {
  constexpr std::size_t kCount = 20'000;
  Random random(12);
  Problem problem;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto begin = static_cast<Time>(i / 2);
    const bool is_long = random.below(10) == 0;
    const std::size_t length = is_long ? kCount / 20 + random.below(kCount / 5) : 1 + random.below(3);
    const auto size = static_cast<Bytes>(1 + random.below(4096)) * 64;
    problem.buffers.push_back(
        {.life = {begin, begin + static_cast<Time>(length)}, .size = size, .alignment = 64, .fixed = {}});
  }
  const Outcome outcome = kEjection.solve(problem, {.nodes = 60'000});
  EXPECT_EQ(outcome.status, Status::kOptimal);
  EXPECT_TRUE(check_by_sweep(problem, outcome.offsets).valid());
}

TEST(Ejection, NeverEndsAboveItsFirstPlan) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Problem problem = random_problem(seed, 40, Alignments::kMixed);
    const Outcome outcome = kEjection.solve(problem, {.nodes = 20'000});
    EXPECT_TRUE(is_valid(problem, outcome.offsets)) << "seed " << seed;
    EXPECT_LE(outcome.height, kStripPacking.solve(problem, {}).height) << "seed " << seed;
  }
}

TEST(Ejection, LeavesFixedBuffersWhereTheyAre) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Problem problem = random_problem(seed, 40);
    problem.buffers[seed % 40].fixed = 8 * problem.buffers[seed % 40].alignment;
    const Outcome outcome = kEjection.solve(problem, {.nodes = 5'000});
    EXPECT_TRUE(is_valid(problem, outcome.offsets)) << "seed " << seed;
  }
}

TEST(Ejection, TheSameNodesGiveTheSamePlan) {
  const Problem problem = long_lives(300);
  const Limits limits{.nodes = 10'000};
  EXPECT_EQ(kEjection.solve(problem, limits).offsets, kEjection.solve(problem, limits).offsets);
}

TEST(Ejection, KeepsToItsNodes) {
  EXPECT_LE(kEjection.solve(long_lives(2'000), {.nodes = 3'000}).nodes, 3'010U);
}

TEST(Ejection, KeepsTheFirstPlanWhenCancelled) {
  const Problem problem = long_lives(300);
  const std::atomic<bool> cancel = true;
  const Outcome outcome = kEjection.solve(problem, {.cancel = &cancel});
  EXPECT_TRUE(is_valid(problem, outcome.offsets));
}

TEST(Ejection, NeedsNoBuffers) {
  EXPECT_EQ(kEjection.solve({}, {}).status, Status::kOptimal);
}

}  // namespace
}  // namespace memo::planner
