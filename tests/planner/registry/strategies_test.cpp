// Strategies on problems small enough to work out by hand.
#include <gtest/gtest.h>

#include "tests/planner/plans.h"
#include "tests/planner/registry/oracles/every_strategy.h"

namespace memo::planner {
namespace {

Outcome solve(std::string_view name, const Problem& problem) {
  const Strategy* strategy = find_any(name);
  EXPECT_NE(strategy, nullptr) << name;
  return strategy->solve(problem, Limits{});
}

TEST(Bump, StartsAgainWhenNothingIsAlive) {
  const Problem problem{
      .buffers = {{.life = {0, 3}, .size = 4}, {.life = {2, 5}, .size = 2}, {.life = {5, 6}, .size = 5}},
      .capacity = {}};
  EXPECT_EQ(solve("bump", problem).offsets, (Offsets{0, 4, 0}));
}

TEST(Bump, RefusesAFixedOffset) {
  const Problem problem{.buffers = {{.life = {0, 3}, .size = 4, .fixed = 8}}, .capacity = {}};
  EXPECT_NE(find_strategy("bump")->refusal(problem), "");
}

// The gap below the fixed buffer is smaller than the open space above it, so the small buffer goes there.
TEST(GreedySize, FillsTheGapBelowAFixedBuffer) {
  const Problem problem{
      .buffers = {{.life = {0, 3}, .size = 4, .fixed = 8}, {.life = {0, 3}, .size = 7, .alignment = 4}},
      .capacity = {}};
  const Outcome outcome = solve("greedy-size", problem);
  EXPECT_EQ(outcome.offsets, (Offsets{8, 0}));
  EXPECT_EQ(outcome.status, Status::kOptimal);
}

// A heuristic that ends above the capacity has proved nothing, unless the bound is above it as well.
TEST(GreedySize, TellsInfeasibleFromNotFound) {
  Problem problem{.buffers = {{.life = {0, 3}, .size = 4}, {.life = {2, 5}, .size = 2}}, .capacity = 5};
  EXPECT_EQ(solve("greedy-size", problem).status, Status::kInfeasible);
  problem.capacity = 6;
  EXPECT_EQ(solve("greedy-size", problem).status, Status::kOptimal);
}

// b leaves a gap of 3 below c, and d takes it although the tighter gap above c would hold it too.
TEST(GreedyExecution, TakesTheLowestGapBetweenThoseAlive) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 3},
                                    {.life = {0, 9}, .size = 2},
                                    {.life = {1, 4}, .size = 2},
                                    {.life = {1, 9}, .size = 1},
                                    {.life = {5, 9}, .size = 2}},
                        .capacity = {}};
  EXPECT_EQ(solve("greedy-execution", problem).offsets, (Offsets{0, 3, 5, 7, 0}));
}

// Sizes 4 (the largest maximum) and 2 (the second). The stage of 4s puts both into one object; by distance, the 3
// between the maxima joins it as well, and nothing needs a third object.
TEST(SharedSizeImproved, PlacesBuffersBetweenTwoMaximaInAStageOfTheirOwn) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 4},
                                    {.life = {6, 8}, .size = 4},
                                    {.life = {1, 3}, .size = 2},
                                    {.life = {3, 5}, .size = 3}},
                        .capacity = {}};
  EXPECT_EQ(solve("shared-size-improved", problem).height, 6);
}

// A heuristic that is asked for a plan below another one stops where it is clear that it has none.
TEST(GreedySize, GivesUpWhereItsPlanIsOfNoUse) {
  const Problem problem = random_problem(3, 60);
  const Strategy& greedy = *find_strategy("greedy-size");
  const Outcome whole = greedy.solve(problem, {});
  EXPECT_EQ(greedy.solve(problem, {.below = whole.height + 1}).offsets, whole.offsets);
  const Outcome given_up = greedy.solve(problem, {.below = whole.height});
  EXPECT_TRUE(given_up.offsets.empty());
  EXPECT_EQ(given_up.status, Status::kTimeout);
}

TEST(GreedyTies, IsNeverAboveTheStrategiesWhoseTiesItTries) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Problem problem = random_problem(seed, 1 + static_cast<int>(seed));
    const Bytes least = solve("greedy-ties", problem).height;
    for (const char* name : {"greedy-size", "greedy-breadth", "greedy-execution", "strip-packing"})
      EXPECT_LE(least, solve(name, problem).height) << name << ", seed " << seed;
  }
}

TEST(Registry, FindsEveryStrategyByItsName) {
  for (const Strategy& strategy : own_strategies()) EXPECT_EQ(find_strategy(strategy.name), &strategy);
  EXPECT_EQ(find_strategy("no-such-strategy"), nullptr);
}

// The command finds its own strategy first, so one of the literature by the same name could never be asked for.
TEST(Registry, NoTwoStrategiesShareAName) {
  for (const Strategy& strategy : every_strategy()) EXPECT_EQ(find_any(strategy.name), &strategy);
}

}  // namespace
}  // namespace memo::planner
