// Strategies on problems small enough to work out by hand.
#include <gtest/gtest.h>

#include "planner/registry/registry.h"

namespace memo::planner {
namespace {

Outcome solve(std::string_view name, const Problem& problem) {
  const Strategy* strategy = find_strategy(name);
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

TEST(Registry, FindsEveryStrategyByItsName) {
  for (const Strategy& strategy : all_strategies()) EXPECT_EQ(find_strategy(strategy.name), &strategy);
  EXPECT_EQ(find_strategy("no-such-strategy"), nullptr);
}

}  // namespace
}  // namespace memo::planner
