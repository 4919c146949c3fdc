// auto: the least height on instances whose least height is known, the same plan from the same node budget whatever
// the number of threads, and honest words when the limits run out.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <limits>

#include "planner/check/check.h"
#include "planner/problem/bounds.h"
#include "planner/solve/automatic.h"
#include "tests/planner/problem/random_problem.h"
#include "tests/planner/registry/oracles/brute_force.h"
#include "tests/planner/registry/oracles/rectangle.h"

namespace memo::planner {
namespace {

RC_GTEST_PROP(Automatic, AgreesWithBruteForce, ()) {
  const Problem problem =
      test::random_problem({.alignments = *rc::gen::arbitrary<bool>(), .fixed = *rc::gen::arbitrary<bool>()});
  const Outcome outcome = kAutomatic.solve(problem, Limits{.threads = 2});
  RC_ASSERT(outcome.status == Status::kOptimal);
  RC_ASSERT(outcome.height == brute_force_height(problem));
  RC_ASSERT(check_by_pairs(problem, outcome.offsets).sentence == "");
}

// A rectangle has nothing to spare: every byte of the rectangle is taken at every moment. A few in a thousand take
// longer than this budget.
TEST(Automatic, PutsRectanglesTogetherAgain) {
  constexpr std::uint32_t kRectangles = 40;
  std::uint32_t whole = 0;
  for (std::uint32_t number = 0; number < kRectangles; ++number) {
    const CutRectangle rectangle = cut_rectangle(number);
    const Outcome outcome = kAutomatic.solve(rectangle.problem, Limits{.nodes = 20'000, .threads = 2});
    EXPECT_TRUE(check_by_sweep(rectangle.problem, outcome.offsets).valid());
    whole += outcome.height == rectangle.height ? 1 : 0;
  }
  EXPECT_GE(whole, kRectangles * 9 / 10);
}

// Number 775 is one of those that take long: the budget ends in the middle of a batch.
TEST(Automatic, GivesTheSamePlanWithAnyNumberOfThreads) {
  for (const std::uint32_t number : {75u, 150u, 350u, 775u}) {
    const Problem problem = cut_rectangle(number).problem;
    const Outcome alone = kAutomatic.solve(problem, Limits{.nodes = 10'000, .threads = 1});
    for (const unsigned threads : {1u, 2u, 3u, 8u}) {
      const Outcome together = kAutomatic.solve(problem, Limits{.nodes = 10'000, .threads = threads});
      EXPECT_EQ(together.offsets, alone.offsets) << threads << " threads";
      EXPECT_EQ(together.status, alone.status);
      EXPECT_EQ(together.lower_bound, alone.lower_bound);
      EXPECT_EQ(together.nodes, alone.nodes);
    }
  }
}

TEST(Automatic, KeepsItsNodeBudget) {
  for (const std::uint64_t nodes : {1u, 100u, 10'000u}) {
    const Outcome outcome =
        kAutomatic.solve(cut_rectangle(775).problem, Limits{.nodes = nodes, .threads = 2});
    EXPECT_EQ(outcome.nodes, nodes);
    EXPECT_EQ(outcome.status, Status::kFeasible);
  }
}

// A plan within the capacity is enough for the search; moving its buffers onto warm bytes then lowers it to the bound.
TEST(Automatic, CallsAPlanOptimalThatIsLoweredToTheBoundAfterTheSearch) {
  const Problem problem{.buffers = {{.life = {2, 4}, .size = 1, .fixed = 1},
                                    {.life = {1, 2}, .size = 1, .fixed = 0},
                                    {.life = {0, 1}, .size = 1, .fixed = 0},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {2, 6}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {1, 2}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {3, 7}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 1},
                                    {.life = {0, 1}, .size = 6},
                                    {.life = {3, 7}, .size = 11},
                                    {.life = {1, 2}, .size = 1},
                                    {.life = {1, 2}, .size = 1},
                                    {.life = {1, 2}, .size = 1},
                                    {.life = {1, 2}, .size = 1},
                                    {.life = {6, 7}, .size = 8, .fixed = 2}},
                        .capacity = 22};
  const Outcome outcome = kAutomatic.solve(problem, Limits{.nodes = 2000});
  EXPECT_EQ(outcome.height, outcome.lower_bound);
  EXPECT_EQ(outcome.status, Status::kOptimal);
}

// Both are out of reach, but only one of them is proved.
TEST(Automatic, TellsInfeasibleFromOutOfTime) {
  Problem problem = cut_rectangle(775).problem;
  problem.capacity = lower_bound(problem) - 1;
  const Outcome infeasible = kAutomatic.solve(problem, Limits{.nodes = 1000});
  EXPECT_EQ(infeasible.status, Status::kInfeasible);
  EXPECT_FALSE(infeasible.note.empty());

  problem.capacity = lower_bound(problem);
  const Outcome timeout = kAutomatic.solve(problem, Limits{.nodes = 1});
  EXPECT_EQ(timeout.status, Status::kTimeout);
  EXPECT_TRUE(timeout.offsets.empty());
  EXPECT_FALSE(timeout.note.empty());
}

// One offset must be even, the other a multiple of 3: side by side they need 3 bytes, though never more than 2 are alive.
TEST(Automatic, ProvesABoundAboveThePeak) {
  const Problem problem{
      .buffers = {{.life = {0, 2}, .size = 1, .alignment = 2}, {.life = {1, 3}, .size = 1, .alignment = 3}},
      .capacity = {}};
  const Outcome outcome = kAutomatic.solve(problem, Limits{});
  EXPECT_EQ(outcome.status, Status::kOptimal);
  EXPECT_EQ(outcome.height, 3);
  EXPECT_EQ(outcome.lower_bound, 3);
}

TEST(Automatic, KeepsTheBestSoFarWhenCancelled) {
  const Problem problem = cut_rectangle(775).problem;
  const std::atomic<bool> cancelled{true};
  const Outcome outcome =
      kAutomatic.solve(problem, Limits{.seconds = 60.0, .threads = 2, .cancel = &cancelled});
  EXPECT_TRUE(check_by_sweep(problem, outcome.offsets).valid());
}

// With time as the limit the searches stop each other: every plan must still be valid and the bound no lie.
TEST(Automatic, RacesAgainstTheClock) {
  for (std::uint32_t number = 770; number < 780; ++number) {
    const Problem problem = cut_rectangle(number).problem;
    const Outcome outcome = kAutomatic.solve(problem, Limits{.seconds = 0.05, .threads = 4});
    EXPECT_TRUE(check_by_sweep(problem, outcome.offsets).valid());
    EXPECT_LE(outcome.lower_bound, outcome.height);
  }
}

TEST(Automatic, ReportsHeightsThatNeverRise) {
  Bytes last = std::numeric_limits<Bytes>::max();
  int reports = 0;
  Limits limits{.nodes = 20'000, .threads = 2};
  limits.progress = [&](const Progress& progress) {
    ++reports;
    EXPECT_LE(progress.height, last);
    EXPECT_LE(progress.lower_bound, progress.height);
    last = progress.height;
  };
  const Outcome outcome = kAutomatic.solve(cut_rectangle(775).problem, limits);
  EXPECT_GT(reports, 0);
  EXPECT_EQ(outcome.height, last);
}

}  // namespace
}  // namespace memo::planner
