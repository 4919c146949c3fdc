// choose() says which term decided between anchors. For programs whose passes are known, a table states the anchor that is
// chosen, the anchor that came closest, and the term that told them apart. A failure means that the passes of a program open
// elsewhere than before, or that another term decides: then a limit in planner/period/choice.cpp has moved. A second table
// does the same for each term alone, with pairs of candidates just beyond its limit and just within it.
#include "planner/period/choice.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <set>
#include <string>

#include "tests/planner/period/period_programs.h"

namespace memo::planner {
namespace {

using namespace programs;

// ---- programs ----

struct Case {
  const char* name;
  std::function<Known()> program;
  ContextId anchor;
  std::optional<ContextId> runner_up;
  std::string_view decided_by;
};

const Case kCases[] = {
    {"OneThread", one_thread, kRequest, 100, "served"},
    {"OneThreadAndOneOpener", [] { return only({kRequest}, one_thread()); }, kRequest, {}, kWithoutRival},
    {"Workers", workers, kRequest, 100, "served"},
    {"ThreadsWithNetworksOfTheirOwn", threads_with_networks_of_their_own, kRequest, 1000, "served"},
    {"LoadingThread", thread_that_loads_what_another_runs, kRequest, 100, "served most"},
    {"LoadingThreadAndTwoOpeners",
     [] {
       return only({kRequest, 2}, thread_that_loads_what_another_runs());
     },
     kRequest, 2, "steady"},
    {"LoadingFullOfTheOpener", loading_full_of_the_opener, 100, kRequest, "idle"},
    {"LoopWithinEachPass", loop_within_each_pass, kRequest, 2, "served most"},
    {"LoopWithinEachPassOrItsBody",
     [] {
       return only({kRequest, 3}, loop_within_each_pass());
     },
     kRequest, 3, "served"},
    {"VariantsInTurn", variants_in_turn, kRequest, 100, "length"},
    {"LoopInPython", loop_in_python, kRequest, 2, "depth"},
    {"ShallowSiteThatAllocatesTwice", shallow_site_that_allocates_twice, kRequest, 100, "depth"},
    {"TimerInEachPass", timer_in_each_pass, 100, 104, "leaks"},
    {"ScriptBetweenPasses", script_between_passes, 100, 104, "served"},
    {"WaitAfterTheFirstBlock", wait_after_the_first_block, kRequest, 2, "wait"},
    {"CutOffAtBothEnds", cut_off_at_both_ends, kRequest, 100, kDecidedByOrder},
};

std::string text_of(std::optional<ContextId> anchor) {
  return anchor ? std::to_string(*anchor) : "none";
}

class ProgramChoice : public testing::TestWithParam<Case> {};

TEST_P(ProgramChoice, IsDecidedByTheTermThatTheTableNames) {
  const Case& stated = GetParam();
  const auto period = find(stated.program());
  ASSERT_TRUE(period);
  const Choice& choice = period->choice;
  std::printf("%-30s anchor %-5u runner-up %-5s decided by %s\n", stated.name, choice.anchor,
              text_of(choice.runner_up).c_str(), std::string(choice.decided_by).c_str());
  EXPECT_EQ(choice.anchor, period->anchor);
  EXPECT_EQ(choice.anchor, stated.anchor);
  EXPECT_EQ(choice.runner_up, stated.runner_up);
  EXPECT_EQ(choice.decided_by, stated.decided_by);
}

INSTANTIATE_TEST_SUITE_P(Programs, ProgramChoice, testing::ValuesIn(kCases),
                         [](const auto& stated) { return stated.param.name; });

TEST(ProgramChoice, IsNotMadeInAProgramWithoutAPeriod) {
  EXPECT_FALSE(find(small_things()));
  EXPECT_FALSE(find(without_order()));
}

// ---- terms ----

constexpr ContextId kFirst = 1;
constexpr ContextId kSecond = 2;

// Returns a candidate of 100 passes that is good in every term.
Candidate good(ContextId anchor) {
  return {.anchor = anchor,
          .score = 0.9,
          .passes = 100,
          .steps = 50,
          .steady = 1,
          .leaked_steps = 1,
          .leaked_bytes = 100,
          .depth = 0,
          .wait = 1000,
          .vain = 0,
          .idle = 10};
}

// A term, and one figure of the second candidate just beyond the limit of this term, and just within it.
struct Beyond {
  std::string_view term;
  double Candidate::*figure;
  double beyond;
  double within;
};

const Beyond kLimits[] = {
    {"steady", &Candidate::steady, 0.899, 0.901},
    {"served", &Candidate::score, 0.9 * 0.979, 0.9 * 0.981},
    {"leaks", &Candidate::leaked_steps, 2 + 4 + 0.01, 2 + 4},
    {"leaks", &Candidate::leaked_bytes, 2 * 100 + 4096 + 1, 2 * 100 + 4096},
    {"length", &Candidate::steps, 55.1, 54.9},
    {"idle", &Candidate::idle, 2 * 10 + 100 + 1, 2 * 10 + 100},
    {"vain", &Candidate::vain, 26, 25},
    {"depth", &Candidate::depth, 257, 256},
    {"served most", &Candidate::score, 0.9 * 0.9989, 0.9 * 0.9991},
    {"wait", &Candidate::wait, 999, 1000},
};

// Returns the decision between two candidates that are alike but for one figure of the one that is given first, so that the
// order speaks for it.
std::optional<Decision> decide(double Candidate::*figure, double value) {
  Candidate second = good(kSecond);
  second.*figure = value;
  return choose({second, good(kFirst)});
}

TEST(TermsOfChoice, DropWhatIsBeyondTheirLimitAndNothingElse) {
  for (const Beyond& limit : kLimits) {
    SCOPED_TRACE(std::string(limit.term));
    const auto beyond = decide(limit.figure, limit.beyond);
    ASSERT_TRUE(beyond);
    EXPECT_EQ(summary_of(*beyond).anchor, kFirst);
    EXPECT_EQ(summary_of(*beyond).runner_up, kSecond);
    EXPECT_EQ(beyond->decided_by, limit.term);
    const auto within = decide(limit.figure, limit.within);
    ASSERT_TRUE(within);
    EXPECT_NE(within->decided_by, limit.term);
  }
}

TEST(TermsOfChoice, AllHaveALimitInTheTableAbove) {
  std::set<std::string_view> tested;
  for (const Beyond& limit : kLimits) tested.insert(limit.term);
  for (const std::string_view term : names_of_terms()) EXPECT_TRUE(tested.contains(term)) << term;
}

TEST(TermsOfChoice, EachCandidateKeepsItsVerdictsUpToTheOneThatDroppedIt) {
  const auto decision = decide(&Candidate::steps, 60);
  ASSERT_TRUE(decision);
  const std::vector<TermVerdict>& dropped = decision->standings[0].verdicts;
  ASSERT_FALSE(dropped.empty());
  EXPECT_EQ(dropped.back().term, "length");
  EXPECT_EQ(dropped.back().figure, 60);
  EXPECT_NEAR(dropped.back().limit, 55, 1e-9);
  EXPECT_FALSE(dropped.back().kept);
  for (const TermVerdict& verdict : decision->standings[1].verdicts)
    EXPECT_TRUE(verdict.kept) << verdict.term;
  EXPECT_EQ(decision->standings[1].verdicts.back().term, names_of_terms().back());
}

TEST(TermsOfChoice, TheFirstGivenWinsWhereAllIsAlike) {
  const auto decision = choose({good(kSecond), good(kFirst)});
  ASSERT_TRUE(decision);
  EXPECT_EQ(summary_of(*decision).anchor, kSecond);
  EXPECT_EQ(decision->decided_by, kDecidedByOrder);
}

// A burst in one thread is steady. It sets no standard for a candidate that serves far more.
TEST(TermsOfChoice, SteadinessIsMeasuredByCandidatesThatServeEnough) {
  Candidate busy = good(kFirst);
  busy.steady = 0.5;
  Candidate burst = good(kSecond);
  burst.score = 0.9 * 0.79;
  EXPECT_EQ(summary_of(*choose({burst, busy})).anchor, kFirst);
  burst.score = 0.9 * 0.81;
  EXPECT_EQ(summary_of(*choose({burst, busy})).anchor, kSecond);
}

TEST(TermsOfChoice, NoneIsChosenWhereNoneHasPassesOrEachLeaksFarMoreThanAnother) {
  EXPECT_FALSE(choose({}));
  Candidate idle = good(kFirst);
  idle.score = 0;
  EXPECT_FALSE(choose({idle}));
  Candidate many = good(kFirst);
  many.leaked_steps = 100;
  Candidate large = good(kSecond);
  large.leaked_bytes = 1'000'000;
  EXPECT_FALSE(choose({many, large}));
}

}  // namespace
}  // namespace memo::planner
