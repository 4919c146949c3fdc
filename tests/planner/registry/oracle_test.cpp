// Strategies against the truth. Up to seven buffers brute force knows the optimum, with mixed alignments and fixed
// places; no strategy may be below it, claim more than it proves, or, being exact, miss it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "planner/problem/bounds.h"
#include "tests/planner/registry/oracles/arbitrary.h"
#include "tests/planner/registry/oracles/brute_force.h"
#include "tests/planner/registry/oracles/strategies.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostBuffers = 7;
constexpr std::uint64_t kNodes = 200'000;
constexpr Traits kEverything{.alignments = true, .fixed = true};

TEST(BruteForce, FindsWhatFirstFitMisses) {
  // In the order of size, first fit ends at 5 here; the optimum stacks differently and reaches the peak of 4.
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 2},
                                    {.life = {1, 3}, .size = 1},
                                    {.life = {2, 4}, .size = 3},
                                    {.life = {0, 1}, .size = 2}},
                        .capacity = {}};
  EXPECT_EQ(brute_force_height(problem), 4);
}

TEST(BruteForce, KeepsAlignmentAndFixedPlaces) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 3, .alignment = 1, .fixed = 2},
                                    {.life = {0, 2}, .size = 3, .alignment = 4},
                                    {.life = {0, 2}, .size = 2}},
                        .capacity = {}};
  EXPECT_EQ(brute_force_height(problem), 11) << "2 below the fixed one, the aligned one at 8";
}

TEST(BruteForce, KnowsWhenThereIsNoPlan) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 3, .alignment = 1, .fixed = 2},
                                    {.life = {1, 2}, .size = 3, .alignment = 1, .fixed = 4}},
                        .capacity = {}};
  EXPECT_FALSE(brute_force_height(problem).has_value());
}

RC_GTEST_PROP(LowerBound, IsNeverAboveTheOptimum, ()) {
  const Problem problem = *problems(kMostBuffers, kEverything);
  const std::optional<Bytes> optimum = brute_force_height(problem);
  RC_ASSERT(lower_bound(problem) <= optimum.value());
  RC_ASSERT(peak_live_bytes(problem) <= lower_bound(problem));
}

class Oracle : public EveryStrategy {};
class ExactOracle : public EveryExactStrategy {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ExactOracle);

TEST_P(Oracle, NeverBelowTheOptimumAndNeverClaimsTooMuch) {
  EXPECT_TRUE(rc::check(GetParam(), [this](Traits traits) {
    if (passes_over_this_case()) return;
    const Problem problem = *problems(most_buffers(kMostBuffers), traits);
    RC_PRE(accepts(strategy(), problem));
    const Outcome outcome = strategy().solve(problem, node_limits(kNodes));
    RC_ASSERT(wrong_with(problem, outcome) == "");
    RC_ASSERT(has_plan(outcome));
    const Bytes optimum = brute_force_height(problem).value();
    RC_ASSERT(outcome.height >= optimum);
    RC_ASSERT(outcome.status != Status::kOptimal || outcome.height == optimum);
  }));
}

TEST_P(ExactOracle, ReachesAndProvesTheOptimum) {
  EXPECT_TRUE(rc::check(GetParam(), [this](Traits traits) {
    if (passes_over_this_case()) return;
    const Problem problem = *problems(most_buffers(kMostBuffers), traits);
    RC_PRE(accepts(strategy(), problem));
    const Outcome outcome = strategy().solve(problem, node_limits(kNodes));
    RC_ASSERT(outcome.status == Status::kOptimal);
    RC_ASSERT(outcome.height == brute_force_height(problem).value());
  }));
}

TEST_P(ExactOracle, DecidesACapacity) {
  EXPECT_TRUE(rc::check(GetParam(), [this](Traits traits) {
    if (passes_over_this_case()) return;
    Problem problem = *problems(most_buffers(kMostBuffers), traits);
    RC_PRE(accepts(strategy(), problem) && !problem.buffers.empty());
    const Bytes optimum = brute_force_height(problem).value();
    problem.capacity = optimum;
    const Outcome fits = strategy().solve(problem, node_limits(kNodes));
    RC_ASSERT(has_plan(fits));
    RC_ASSERT(wrong_with(problem, fits) == "");
    problem.capacity = optimum - 1;
    RC_ASSERT(strategy().solve(problem, node_limits(kNodes)).status == Status::kInfeasible);
  }));
}

INSTANTIATE_TEST_SUITE_P(All, Oracle, testing::ValuesIn(every_name()), test_name);
INSTANTIATE_TEST_SUITE_P(All, ExactOracle, testing::ValuesIn(every_exact_name()), test_name);

}  // namespace
}  // namespace memo::planner
