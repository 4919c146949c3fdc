// What the command and memomalloc-literature send each other arrives as it was, and the program beside this test solves as
// the library linked into it does.
#include "planner/tool/literature/exchange.h"

#include <gtest/gtest.h>

#include <atomic>

#include "planner/check/check.h"
#include "planner/literature/literature.h"
#include "planner/problem/csv.h"
#include "planner/registry/registry.h"
#include "planner/tool/literature/asking.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

const Problem kProblem{
    .buffers = {{.life = {0, 3}, .size = 4, .alignment = 8, .fixed = 16}, {.life = {-2, 5}, .size = 7}},
    .capacity = {}};

void expect_same(const Outcome& there, const Outcome& here, std::string_view name) {
  EXPECT_EQ(there.status, here.status) << name;
  EXPECT_EQ(there.offsets, here.offsets) << name;
  EXPECT_EQ(there.height, here.height) << name;
  EXPECT_EQ(there.lower_bound, here.lower_bound) << name;
  EXPECT_EQ(there.nodes, here.nodes) << name;
  EXPECT_EQ(there.note, here.note) << name;
}

const Strategy& beside(std::string_view name) {
  return *find_strategy(literature_beside(), name);
}

TEST(Exchange, AProblemArrivesAsItWas) {
  EXPECT_EQ(read_csv(to_csv(kProblem), "question").problem.buffers, kProblem.buffers);
}

TEST(Exchange, AnOutcomeArrivesAsItWas) {
  for (const Status status : {Status::kOptimal, Status::kFeasible, Status::kInfeasible, Status::kTimeout}) {
    const Outcome outcome{
        .status = status, .offsets = {16, 0}, .height = 20, .lower_bound = 11, .nodes = 9, .note = "why"};
    expect_same(outcome_of(Json::parse(to_json(outcome).dump())), outcome, "an outcome");
  }
}

// The way to the program is no part of what a strategy takes.
TEST(Literature, CountsTheSecondsInTheProgram) {
  const Outcome outcome = beside("reuse").solve(random_problem(1, 40), {});
  ASSERT_TRUE(outcome.seconds.has_value());
  EXPECT_EQ(outcome_of(to_json(outcome)).seconds, outcome.seconds);
}

TEST(Literature, IsWhatTheProgramNames) {
  ASSERT_EQ(literature_beside().size(), literature_strategies().size());
  for (std::size_t i = 0; i < literature_strategies().size(); ++i) {
    const Strategy& there = literature_beside()[i];
    const Strategy& here = literature_strategies()[i];
    EXPECT_EQ(there.name, here.name);
    EXPECT_EQ(there.summary, here.summary);
    EXPECT_EQ(there.cost, here.cost);
    EXPECT_EQ(there.guarantee, here.guarantee);
    EXPECT_EQ(there.exact, here.exact);
  }
}

TEST(Literature, SolvesInTheProgramAsInTheLibrary) {
  Problem problem = random_problem(1, 40);
  const Limits limits{.nodes = 2'000, .seed = 3};
  for (const Strategy& here : literature_strategies()) {
    if (!here.refusal(problem).empty()) continue;
    expect_same(beside(here.name).solve(problem, limits), here.solve(problem, limits), here.name);
  }
  problem.capacity = 1;
  expect_same(beside("reuse").solve(problem, {}),
              find_strategy(literature_strategies(), "reuse")->solve(problem, {}), "reuse below the bound");
}

TEST(Literature, RefusesInTheProgramAsInTheLibrary) {
  for (const Strategy& here : literature_strategies())
    EXPECT_EQ(beside(here.name).refusal(kProblem), here.refusal(kProblem)) << here.name;
}

TEST(Literature, EndsWithItsBestPlanWhenItIsCancelled) {
  const Problem problem = random_problem(5, 400);
  const std::atomic<bool> cancelled = true;
  const Outcome outcome = beside("telamalloc").solve(problem, {.seconds = 600, .cancel = &cancelled});
  EXPECT_TRUE(check_by_sweep(problem, outcome.offsets).valid());
}

}  // namespace
}  // namespace memo::planner
