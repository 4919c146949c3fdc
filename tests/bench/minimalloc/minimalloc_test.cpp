// The synthetic suite has a plan for every problem, and the two baselines are exact: at the least height they find a
// plan, one byte below it they prove that there is none.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

#include "planner/check/check.h"
#include "planner/literature/telamalloc.h"
#include "planner/solve/canonical.h"
#include "tests/bench/minimalloc/absolute_csp.h"
#include "tests/bench/minimalloc/meta_csp.h"
#include "tests/bench/minimalloc/suite.h"
#include "tests/planner/problem/random_problem.h"
#include "tests/planner/registry/oracles/brute_force.h"

namespace memo::bench {
namespace {

using planner::Limits;
using planner::Outcome;
using planner::Problem;
using planner::Status;

using Solve = Outcome (*)(const Problem&, const Limits&);

// Leaves out the few problems that take the baseline long. Counts nodes, since a sanitizer or a busy machine takes any time.
void expect_exact(Problem problem, Solve solve) {
  Limits limits;
  limits.nodes = 1'000'000;
  const planner::Bytes least = planner::brute_force_height(problem).value();
  problem.capacity = least - 1;
  const Outcome proof = solve(problem, limits);
  RC_PRE(proof.status != Status::kTimeout);
  RC_ASSERT(proof.status == Status::kInfeasible);
  problem.capacity = least;
  const Outcome outcome = solve(problem, limits);
  RC_PRE(outcome.status != Status::kTimeout);
  RC_ASSERT(planner::check_by_pairs(problem, outcome.offsets).sentence == "");
  RC_ASSERT(outcome.height == least);
}

RC_GTEST_PROP(AbsoluteCsp, AgreesWithBruteForce, ()) {
  expect_exact(planner::test::random_problem({}), solve_absolute_csp);
}

RC_GTEST_PROP(MetaCsp, AgreesWithBruteForce, ()) {
  expect_exact(planner::test::random_problem({}), solve_meta_csp);
}

// A search that was cut off must not call a problem infeasible.
TEST(Baselines, SayThatTheirLimitsRanOut) {
  const Problem problem = synthetic_problems(kMostBuffers, 1).front();
  Limits limits;
  limits.nodes = 1;
  for (const Solve solve : {solve_absolute_csp, solve_meta_csp})
    EXPECT_EQ(solve(problem, limits).status, Status::kTimeout);
}

TEST(Baselines, RefuseWhatTheyDoNotKnow) {
  Problem problem = synthetic_problems(kLeastBuffers, 1).front();
  problem.buffers.front().alignment = 64;
  for (const Solve solve : {solve_absolute_csp, solve_meta_csp})
    EXPECT_THROW(static_cast<void>(solve(problem, {})), std::invalid_argument);
}

std::size_t solved_by_telamalloc(const planner::TelaRules& rules) {
  constexpr std::uint64_t kNodes = 20'000;
  std::size_t solved = 0;
  for (const int buffers : {30, 40, 50, 60}) {
    for (const Problem& problem : synthetic_problems(buffers, 10)) {
      const Outcome outcome = planner::solve_telamalloc(problem, {.nodes = kNodes}, rules);
      if (outcome.offsets.empty()) continue;
      EXPECT_TRUE(planner::check_by_pairs(problem, outcome.offsets).valid());
      EXPECT_LE(outcome.height, problem.capacity.value());
      ++solved;
    }
  }
  return solved;
}

// The same nodes solve more problems with the constraint solver, and still more with the learned returns.
TEST(Telamalloc, SolvesMoreWithEachOfItsParts) {
  const std::size_t without_both =
      solved_by_telamalloc({.propagates = false, .returns = planner::latest_target});
  const std::size_t without_model = solved_by_telamalloc({.returns = planner::latest_target});
  EXPECT_GT(without_model, without_both);
  EXPECT_GT(solved_by_telamalloc({}), without_model);
}

TEST(SyntheticSuite, HasThePromisedSizesAndAPlanForEachProblem) {
  for (const int buffers : {kLeastBuffers, kMostBuffers}) {
    for (const Problem& problem : synthetic_problems(buffers, 4)) {
      EXPECT_EQ(problem.buffers.size(), static_cast<std::size_t>(buffers));
      const Outcome outcome = planner::solve_canonical(problem, Limits{}, planner::Rules{});
      EXPECT_LE(outcome.height, problem.capacity.value());
      EXPECT_TRUE(planner::check_by_pairs(problem, outcome.offsets).valid());
    }
  }
}

// Figures of two machines are about the same problems.
TEST(SyntheticSuite, IsTheSameEachTime) {
  const auto one = synthetic_problems(kMostBuffers, 2);
  const auto again = synthetic_problems(kMostBuffers, 2);
  EXPECT_EQ(one.back().buffers, again.back().buffers);
  EXPECT_NE(one.front().buffers, one.back().buffers);
}

}  // namespace
}  // namespace memo::bench
