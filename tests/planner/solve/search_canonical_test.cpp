// The exact search against brute force: at the least height it must find a plan, one byte below it must prove that
// there is none, whatever rules are switched on, with mixed alignments and with fixed places.
#include "planner/solve/canonical_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "planner/check/check.h"
#include "planner/solve/canonical.h"
#include "tests/planner/problem/random_problem.h"
#include "tests/planner/registry/oracles/brute_force.h"

namespace memo::planner {
namespace {

using test::random_problem;
using Verdict = CanonicalSearch::Verdict;

constexpr unsigned kRuleSets = 1u << 8;

Rules rules_of(unsigned bits) {
  return {.canonical_order = (bits & 1u) != 0,
          .dominance = (bits & 2u) != 0,
          .lifting = (bits & 4u) != 0,
          .section_inference = (bits & 8u) != 0,
          .hatless = (bits & 16u) != 0,
          .decomposition = (bits & 32u) != 0,
          .memo = (bits & 64u) != 0,
          .symmetry = (bits & 128u) != 0};
}

constexpr Ordering kOrderings[] = {{TieBreak::kRank, "TWA"},
                                   {TieBreak::kSlack, "WAT"},
                                   {TieBreak::kConflict, "ZLU"},
                                   {TieBreak::kConflicts, "R"}};

CanonicalSearch::Dive to_the_end(Bytes capacity, std::uint64_t seed) {
  return {.capacity = capacity, .ordering = kOrderings[seed % 4], .seed = seed, .nodes = ~std::uint64_t{0}};
}

// Uses one search for both dives, the refuted one first: what it remembers must not stand in the way of the plan.
void expect_exact(Problem problem, Bytes least, const Rules& rules, std::uint64_t seed) {
  const auto never = [] { return false; };
  const SearchProblem layout(problem);
  CanonicalSearch search(layout, rules, 1u << 10);
  RC_ASSERT(search.dive(to_the_end(least - 1, seed), never) == Verdict::kExhausted);
  RC_ASSERT(search.dive(to_the_end(least, seed + 1), never) == Verdict::kSolved);
  problem.capacity = least;
  RC_ASSERT(check_by_pairs(problem, search.offsets()).sentence == "");
}

void expect_exact_under_all_rules(const Problem& problem) {
  const Bytes least = brute_force_height(problem).value();
  for (unsigned bits = 0; bits < kRuleSets; ++bits) expect_exact(problem, least, rules_of(bits), bits);
}

RC_GTEST_PROP(CanonicalRules, AgreeWithBruteForceInEveryCombination, ()) {
  expect_exact_under_all_rules(random_problem({.most_buffers = 6}));
}

RC_GTEST_PROP(CanonicalRules, AgreeWithMixedAlignments, ()) {
  expect_exact_under_all_rules(random_problem({.most_buffers = 6, .alignments = true}));
}

RC_GTEST_PROP(CanonicalRules, AgreeWithMixedAlignmentsAndFixedPlaces, ()) {
  expect_exact_under_all_rules(random_problem({.most_buffers = 6, .alignments = true, .fixed = true}));
}

// Seven buffers, with all rules and with each one missing.
RC_GTEST_PROP(CanonicalSearch, AgreesWithBruteForceOnSevenBuffers, ()) {
  const Problem problem =
      random_problem({.alignments = *rc::gen::arbitrary<bool>(), .fixed = *rc::gen::arbitrary<bool>()});
  const Bytes least = brute_force_height(problem).value();
  expect_exact(problem, least, Rules{}, 1);
  for (unsigned rule = 1; rule < kRuleSets; rule <<= 1) {
    expect_exact(problem, least, rules_of((kRuleSets - 1) & ~rule), rule);
  }
}

// The strategy around the search: parts, units and restarts.
RC_GTEST_PROP(Canonical, MinimisesToTheLeastHeight, ()) {
  const Problem problem =
      random_problem({.alignments = *rc::gen::arbitrary<bool>(), .fixed = *rc::gen::arbitrary<bool>()});
  const Outcome outcome = solve_canonical(problem, Limits{}, Rules{});
  RC_ASSERT(outcome.status == Status::kOptimal);
  RC_ASSERT(outcome.height == brute_force_height(problem).value());
  RC_ASSERT(outcome.lower_bound == outcome.height);
  RC_ASSERT(check_by_pairs(problem, outcome.offsets).sentence == "");
}

RC_GTEST_PROP(Canonical, ProvesACapacityTooSmall, ()) {
  Problem problem = random_problem({.alignments = true});
  problem.capacity = brute_force_height(problem).value() - 1;
  const Outcome outcome = solve_canonical(problem, Limits{}, Rules{});
  RC_ASSERT(outcome.status == Status::kInfeasible);
  RC_ASSERT(outcome.offsets.empty());
  RC_ASSERT(!outcome.note.empty());
}

// Two thousand buffers on top of each other: the depth of the search is the depth of its own stack, not of the
// thread's.
TEST(CanonicalSearch, GoesThousandsDeep) {
  Problem problem;
  for (Bytes i = 0; i < 2000; ++i) problem.buffers.push_back({.life = {i, 4000 - i}, .size = 1 + i % 7});
  const Outcome outcome = solve_canonical(problem, Limits{}, Rules{});
  EXPECT_EQ(outcome.status, Status::kOptimal);
  EXPECT_TRUE(check_by_sweep(problem, outcome.offsets).valid());
}

TEST(CanonicalSearch, SolvesTheEmptyProblem) {
  EXPECT_EQ(solve_canonical({}, Limits{}, Rules{}).status, Status::kOptimal);
}

}  // namespace
}  // namespace memo::planner
