// Tests what holds for every strategy on problems too large for brute force: the plan is valid by both checkers, never below
// the bound, the same twice in a row, and as good as the strategy promises; a refusal names its reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "planner/registry/registry.h"
#include "tests/planner/registry/oracles/arbitrary.h"
#include "tests/planner/registry/oracles/strategies.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostBuffers = 40;
constexpr std::uint64_t kNodes = 2'000;

class Property : public EveryStrategy {};

TEST_P(Property, PlansAreValidAndAboveTheBound) {
  EXPECT_TRUE(rc::check(GetParam(), [this](Traits traits) {
    if (passes_over_this_case()) return;
    const Problem problem = *problems(most_buffers(kMostBuffers), traits);
    RC_PRE(accepts(strategy(), problem));
    const Outcome outcome = strategy().solve(problem, node_limits(kNodes));
    RC_ASSERT(has_plan(outcome));
    RC_ASSERT(wrong_with(problem, outcome) == "");
  }));
}

TEST_P(Property, SolvesTheSameWayTwice) {
  EXPECT_TRUE(rc::check(GetParam(), [this](Traits traits) {
    if (passes_over_this_case()) return;
    const Problem problem = *problems(most_buffers(kMostBuffers), traits);
    RC_PRE(accepts(strategy(), problem));
    const Outcome first = strategy().solve(problem, node_limits(kNodes));
    const Outcome second = strategy().solve(problem, node_limits(kNodes));
    RC_ASSERT(first.offsets == second.offsets);
    RC_ASSERT(first.status == second.status);
    RC_ASSERT(first.nodes == second.nodes);
  }));
}

// With a capacity the answer is a plan within it, a proof that there is none, or neither; never a plan above it.
TEST_P(Property, KeepsTheCapacity) {
  EXPECT_TRUE(rc::check(GetParam(), [this](Traits traits) {
    if (passes_over_this_case()) return;
    Problem problem = *problems(most_buffers(kMostBuffers), traits);
    RC_PRE(accepts(strategy(), problem));
    const Bytes peak = peak_live_bytes(problem);
    problem.capacity = *rc::gen::inRange<Bytes>(peak / 2, peak * 2 + 2);
    const Outcome outcome = strategy().solve(problem, node_limits(kNodes));
    RC_ASSERT(wrong_with(problem, outcome) == "");
    RC_ASSERT(*problem.capacity >= peak || outcome.status == Status::kInfeasible);
  }));
}

TEST_P(Property, NothingToPlaceIsOptimalAtHeight0) {
  const Outcome outcome = strategy().solve(Problem{}, node_limits(kNodes));
  EXPECT_EQ(outcome.status, Status::kOptimal);
  EXPECT_EQ(outcome.height, 0);
}

TEST_P(Property, TellsUsersWhatItIs) {
  EXPECT_FALSE(strategy().summary.empty());
  EXPECT_FALSE(strategy().cost.empty());
  EXPECT_FALSE(strategy().guarantee.empty());
}

// Without alignments and fixed places every strategy must take part.
TEST_P(Property, TakesEveryPlainProblem) {
  EXPECT_TRUE(rc::check(GetParam(), [this] {
    RC_ASSERT(strategy().refusal(*problems(most_buffers(kMostBuffers), {})) == "");
  }));
}

INSTANTIATE_TEST_SUITE_P(All, Property, testing::ValuesIn(every_name()), test_name);

// The one constant-factor guarantee among the heuristics.
RC_GTEST_PROP(Gergov, IsWithinThreeTimesThePeak, ()) {
  const Problem problem = *problems(kMostBuffers, {});
  const Outcome outcome = find_strategy("gergov")->solve(problem, Limits{});
  RC_ASSERT(outcome.height <= 3 * peak_live_bytes(problem));
}

}  // namespace
}  // namespace memo::planner
