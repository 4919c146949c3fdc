// Proves what a line of progress says and when, with a clock that the test sets: a share and a time left that do not
// follow from steps that were done would be invented.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "planner/tool/progress/line.h"
#include "planner/tool/progress/pace.h"
#include "planner/tool/progress/words.h"

namespace memo::progress {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Moment at(double after_seconds) {
  return Moment{} + std::chrono::duration_cast<Clock::duration>(Seconds(after_seconds));
}

TEST(Pace, SaysNoTimeBeforeAStepIsDone) {
  Pace pace;
  pace.note({.done = 0, .all = 4}, at(0));
  EXPECT_FALSE(pace.left(at(100)));
  EXPECT_EQ(pace.share(at(100)), 0);
}

TEST(Pace, KnowsNothingOfWorkWithoutSteps) {
  Pace pace;
  pace.note({.what = "reading"}, at(0));
  EXPECT_FALSE(pace.share(at(1)));
  EXPECT_FALSE(pace.left(at(1)));
}

TEST(Pace, TheRestTakesAsLongAsWhatWasDone) {
  Pace pace;
  pace.note({.done = 0, .all = 5}, at(10));
  pace.note({.done = 1, .all = 5}, at(12));
  pace.note({.done = 2, .all = 5}, at(18));  // 4 s a step
  EXPECT_DOUBLE_EQ(pace.left(at(18))->seconds.count(), 12);
  EXPECT_DOUBLE_EQ(pace.left(at(21))->seconds.count(), 9);
  EXPECT_FALSE(pace.left(at(18))->is_bound);
}

TEST(Pace, WhatCameBeforeTheStepsDoesNotCount) {
  Pace pace;
  pace.note({.what = "profiling"}, at(0));
  pace.note({.done = 0, .all = 2}, at(100));
  pace.note({.done = 1, .all = 2}, at(103));
  EXPECT_DOUBLE_EQ(pace.left(at(103))->seconds.count(), 3);
}

TEST(Pace, ALateStepLeavesTheTimeOfThoseThatHaveNotBegun) {
  Pace pace;
  pace.note({.done = 0, .all = 3}, at(0));
  pace.note({.done = 1, .all = 3}, at(5));
  EXPECT_DOUBLE_EQ(pace.left(at(60))->seconds.count(), 5);
}

TEST(Pace, APartOfAStepCountsForTheShareAlone) {
  Pace pace;
  pace.note({.done = 0, .all = 2}, at(0));
  pace.note({.done = 0.5, .all = 2}, at(6));
  EXPECT_EQ(pace.share(at(6)), 0.25);
  EXPECT_FALSE(pace.left(at(6)));
}

TEST(Pace, ALimitBoundsTheRest) {
  Pace pace;
  const State first{.done = 0, .all = 2, .step_limit = seconds(10)};
  pace.note(first, at(0));
  EXPECT_DOUBLE_EQ(pace.left(at(4))->seconds.count(), 16);
  EXPECT_TRUE(pace.left(at(4))->is_bound);
  EXPECT_DOUBLE_EQ(*pace.share(at(4)), 0.2);
  EXPECT_DOUBLE_EQ(*pace.share(at(99)), 0.5) << "a step that overruns its limit is no more than one step";
  pace.note({.done = 1, .all = 2, .step_limit = seconds(10)}, at(5));
  EXPECT_DOUBLE_EQ(pace.left(at(6))->seconds.count(), 9);
}

TEST(Words, DurationsHaveTwoUnitsAtMost) {
  EXPECT_EQ(duration_text(seconds(0)), "0 s");
  EXPECT_EQ(duration_text(milliseconds(59'400)), "59 s");
  EXPECT_EQ(duration_text(milliseconds(59'600)), "1 min 0 s");
  EXPECT_EQ(duration_text(seconds(200)), "3 min 20 s");
  EXPECT_EQ(duration_text(seconds(7500)), "2 h 5 min");
}

const Figures kHalf{0.5, seconds(12), TimeLeft{seconds(12)}, "round 3 of 5: off"};

TEST(Words, ABarWithShareTimeAndTask) {
  EXPECT_EQ(bar_text(kHalf, 100),
            "[############------------]  50 %  12 s, about 12 s left  round 3 of 5: off");
}

TEST(Words, TheWidthIsKept) {
  for (std::size_t columns = 1; columns < 120; ++columns)
    EXPECT_LE(bar_text(kHalf, columns).size(), columns) << columns;
  EXPECT_EQ(bar_text(kHalf, 59).substr(0, 11), "[####-----]");
  EXPECT_EQ(bar_text(kHalf, 50), " 50 %  12 s, about 12 s left  round 3 of 5: off");
}

TEST(Words, ACharacterIsCutNowhereButAtItsEnd) {
  EXPECT_EQ(bar_text({{}, seconds(1), {}, "\u00e4\u00f6\u00fc"}, 6), "1 s  \u00e4");
}

TEST(Words, WorkThatGoesOnIsNotDone) {
  EXPECT_EQ(sentence({1.0, seconds(9), {}, "x"}), "x: 99 % after 9 s");
}

TEST(Words, ABoundIsSaidToBeOne) {
  EXPECT_EQ(sentence({0.4, seconds(4), TimeLeft{seconds(6), true}, "variant 1 of 1"}),
            "variant 1 of 1: 40 % after 4 s, at most 6 s left");
  EXPECT_EQ(sentence({{}, seconds(4), {}, "reading"}), "reading, 4 s so far");
}

// A line, and what it wrote.
struct Written {
  explicit Written(Way way)
      : line(
            {way, [] { return std::size_t{80}; }, [this](const std::string& text) { texts.push_back(text); }},
            at(0)) {}
  std::vector<std::string> texts;
  Line line;
};

TEST(Line, OnATerminalItIsDrawnTenTimesASecond) {
  Written terminal(Way::kRedrawn);
  for (int call = 0; call < 1000; ++call) terminal.line.show({.what = "x"}, at(call * 0.001));
  EXPECT_EQ(terminal.texts.size(), 10U);
}

TEST(Line, ItGoesOnWhereTheWorkSaysNothing) {
  Written terminal(Way::kRedrawn);
  terminal.line.show({.done = 0, .all = 2, .what = "a"}, at(0));
  terminal.line.tick(at(7));
  EXPECT_EQ(terminal.texts.back(), "[------------------------]   0 %  7 s  a");
}

TEST(Line, InALogShortWorkSaysNothing) {
  Written log(Way::kSentences);
  log.line.show({.done = 0, .all = 2, .what = "a"}, at(0));
  log.line.show({.done = 1, .all = 2, .what = "b"}, at(9));
  EXPECT_TRUE(log.texts.empty());
  log.line.tick(at(10));
  EXPECT_EQ(log.texts, std::vector<std::string>{"b: 50 % after 10 s, about 8 s left"});
}

TEST(Line, InALogLongWorkSpeaksOnceAMinute) {
  Written log(Way::kSentences);
  log.line.show({.what = "a"}, at(0));
  for (int second = 1; second <= 600; ++second) log.line.tick(at(second));
  EXPECT_EQ(log.texts.size(), 6U + 9U);
}

TEST(Line, NothingIsSaidBeforeThereIsAnythingToSay) {
  Written terminal(Way::kRedrawn);
  terminal.line.tick(at(5));
  Written silent(Way::kSilent);
  silent.line.show({.what = "a"}, at(60));
  EXPECT_TRUE(terminal.texts.empty() && silent.texts.empty());
}

}  // namespace
}  // namespace memo::progress
