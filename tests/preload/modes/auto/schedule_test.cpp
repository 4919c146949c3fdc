// When a program that is served is recorded again: the thresholds, the rests, and that it comes to an end.
#include "preload/modes/auto/schedule.h"

#include <gtest/gtest.h>

namespace memo::guest {
namespace {

constexpr std::uint64_t kOfPass = 100;  // allocations, each of a byte

// A program whose passes are served to this share.
struct Program {
  Schedule schedule;
  PassCounts counts{.planned = true};
  std::int64_t seconds = 0;

  void run_window_without_plan() {
    counts.planned = false;
    counts.passes += Schedule::kWindow;
    counts.beyond_plans += Schedule::kWindow * kOfPass;
    counts.missed_bytes += Schedule::kWindow * kOfPass;
  }

  bool is_due_after_window_without_plan() {
    run_window_without_plan();
    return schedule.is_due(counts, seconds);
  }

  void run_window(std::uint64_t served_of_hundred) {
    counts.passes += Schedule::kWindow;
    counts.served += Schedule::kWindow * served_of_hundred;
    counts.served_bytes += Schedule::kWindow * served_of_hundred;
    counts.missed += Schedule::kWindow * (kOfPass - served_of_hundred);
    counts.missed_bytes += Schedule::kWindow * (kOfPass - served_of_hundred);
  }

  bool is_due_after_window(std::uint64_t served_of_hundred) {
    run_window(served_of_hundred);
    return schedule.is_due(counts, seconds);
  }

  // Windows until it is due, at most so many.
  int windows_until_due(std::uint64_t served_of_hundred, int most) {
    for (int windows = 1; windows <= most; ++windows) {
      if (is_due_after_window(served_of_hundred)) return windows;
    }
    return 0;
  }
};

TEST(Schedule, NineTenthsAreWellServed) {
  Program program;
  EXPECT_EQ(program.windows_until_due(90, 100), 0);
  EXPECT_EQ(program.windows_until_due(89, 100), 2);
}

TEST(Schedule, OneBadWindowIsNothing) {
  Program program;
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(program.is_due_after_window(i % 2 == 0 ? 0 : 100));
}

TEST(Schedule, BytesCountAsMuch) {
  Program program;
  program.counts.served = program.counts.served_bytes = 0;
  for (int i = 0; i < 2; ++i) {
    program.counts.passes += Schedule::kWindow;
    program.counts.served += 99;
    program.counts.served_bytes += 99;
    program.counts.missed += 1;
    program.counts.missed_bytes += 1000;
    EXPECT_EQ(program.schedule.is_due(program.counts, 0), i == 1);
  }
}

// Passes that found no lane are not for learning.
TEST(Schedule, WhatNoPlanCanChangeDoesNotCount) {
  Program program;
  for (int i = 0; i < 10; ++i) {
    program.counts.passes += Schedule::kWindow;
    program.counts.beyond_plans += 1000;
    program.counts.missed_bytes += 1'000'000;
    EXPECT_FALSE(program.schedule.is_due(program.counts, 0));
  }
}

TEST(Schedule, ARecordingIsFollowedByARestOfPassesAndTime) {
  Program program;
  ASSERT_EQ(program.windows_until_due(0, 2), 2);
  program.schedule.recorded(100, program.counts, program.seconds);
  program.schedule.begin_window(program.counts);
  program.seconds = 1000;
  EXPECT_EQ(program.windows_until_due(0, 1000), 16 * 100 / static_cast<int>(Schedule::kWindow));
  program.schedule.recorded(1, program.counts, program.seconds);
  EXPECT_EQ(program.windows_until_due(0, 1000), 0) << "no time went by";
}

// The most that a program which nothing helps spends on being recorded.
TEST(Schedule, ItGivesUpUntilSomethingIsServed) {
  Program program;
  std::uint64_t recorded = 0;
  std::uint32_t recordings = 0;
  for (int i = 0; i < 100'000; ++i) {
    program.seconds += 1;
    if (!program.is_due_after_window(0)) continue;
    ++recordings;
    recorded += program.schedule.most_passes();
    program.schedule.recorded(program.schedule.most_passes(), program.counts, program.seconds);
    program.schedule.begin_window(program.counts);
  }
  EXPECT_EQ(recordings, Schedule::kMostInVain);
  EXPECT_EQ(recorded, Schedule::kMostPasses * (2 + 4 + 8 + 16 + 32 + 64));
  EXPECT_FALSE(program.is_due_after_window(100));
  EXPECT_EQ(program.windows_until_due(0, 2), 0) << "one good window may be chance";
  EXPECT_EQ(program.windows_until_due(100, Schedule::kGoodInARow), 0);
  EXPECT_EQ(program.windows_until_due(0, 2), 2) << "what helped for long is a new beginning";
}

// A planner that gets little processor time: its plan is not judged before it is there, and what it plans from is not
// recorded again meanwhile.
TEST(Schedule, NothingIsDueWhileAPlannerMayBeAtWork) {
  Program program;
  program.schedule.recorded(Schedule::kMostPasses, program.counts, 0);
  for (program.seconds = 0; program.seconds < Schedule::kPlanningSeconds; ++program.seconds) {
    for (int i = 0; i < 100; ++i) ASSERT_FALSE(program.is_due_after_window_without_plan()) << program.seconds;
  }
  program.counts.planned = true;
  program.schedule.begin_window(program.counts);
  EXPECT_EQ(program.windows_until_due(0, 2), 2) << "two windows, and all of them with the plan";
  program.schedule.recorded(1, program.counts, program.seconds);
  const std::int64_t ended = program.seconds;
  for (; program.seconds < ended + 2 * Schedule::kPlanningSeconds; ++program.seconds)
    ASSERT_FALSE(program.is_due_after_window(0)) << "the plan of the second recording is not there yet";
  EXPECT_TRUE(program.is_due_after_window(0));
}

TEST(Schedule, WindowsWithoutAPlanMakeNoneAfterThemBad) {
  Program program;
  for (int i = 0; i < 100; ++i) program.run_window_without_plan();
  program.counts.planned = true;
  program.schedule.begin_window(program.counts);
  EXPECT_FALSE(program.is_due_after_window(0));
  EXPECT_TRUE(program.is_due_after_window(0));
}

// Where no plan comes, longer and longer recordings may bring one, and they come to an end.
TEST(Schedule, WithoutAPlanItRecordsAgainSixTimes) {
  Program program;
  program.schedule.recorded(Schedule::kMostPasses, program.counts, 0);
  std::int64_t last = 0;
  std::int64_t rest = Schedule::kPlanningSeconds;
  std::uint32_t recordings = 0;
  for (int i = 0; i < 100'000; ++i) {
    program.seconds += 1;
    if (!program.is_due_after_window_without_plan()) continue;
    ++recordings;
    EXPECT_GE(program.seconds - last, rest);
    program.schedule.recorded(program.schedule.most_passes(), program.counts, program.seconds);
    last = program.seconds;
    rest *= 2;
  }
  EXPECT_EQ(recordings, Schedule::kMostInVain);
}

}  // namespace
}  // namespace memo::guest
