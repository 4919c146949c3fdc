// What recording may cost, over simulated time: the share over any second, the rests and their end, and that passes go on to be
// recorded one by one.
#include "preload/modes/auto/price.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace memo::guest {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;  // nanoseconds

// A program that works without a pause. Recording takes so many parts of a hundred of its time.
struct Program {
  std::int64_t share;
  Price price;
  std::int64_t process = 5 * Price::kSecond, recorder = 7 * kMillisecond;  // it did something before
  std::vector<std::int64_t> by_millisecond = {};                           // what the recorder took in each

  explicit Program(std::int64_t parts) : share(parts) { price.account(recorder, process); }

  void run_for_a_millisecond(bool records) {
    const std::int64_t taken = records ? kMillisecond * share / 100 : 0;
    process += kMillisecond;
    recorder += taken;
    by_millisecond.push_back(taken);
    price.account(recorder, process);
  }

  void run(std::int64_t milliseconds) {
    bool records = true;
    for (std::int64_t i = 0; i < milliseconds; ++i) {
      run_for_a_millisecond(records);
      if (records && !price.may_record()) {
        price.end_stretch();
        records = false;
      } else if (!records) {
        records = price.may_begin_stretch();
      }
    }
  }

  // The most that the recorder took in any second that begins after so many milliseconds.
  std::int64_t most_in_a_second_after(std::size_t begin) const {
    std::int64_t most = 0, now = 0;
    for (std::size_t i = begin; i < by_millisecond.size(); ++i) {
      now += by_millisecond[i];
      if (i >= begin + 1000) now -= by_millisecond[i - 1000];
      most = std::max(most, now);
    }
    return most;
  }
};

TEST(Price, FirstStretchTakesATenthOfASecond) {
  Program program(50);
  std::int64_t milliseconds = 0;
  for (; program.price.may_record(); ++milliseconds) program.run_for_a_millisecond(true);
  EXPECT_EQ(milliseconds, 200);
}

// The first stretch of a program that is cheap to record lasts longest: two seconds.
TEST(Price, TakesATwentiethOfAnyLaterSecondAtMost) {
  for (const std::int64_t share : {10, 30, 50, 75, 95}) {
    Program program(share);
    program.run(120'000);
    EXPECT_LE(program.most_in_a_second_after(2500), Price::kSecond / 20 + 2 * kMillisecond) << share;
  }
}

TEST(Price, CheapRecordingNeverRests) {
  Program program(4);
  program.run(60'000);
  EXPECT_TRUE(std::ranges::all_of(program.by_millisecond, [](std::int64_t taken) { return taken > 0; }));
}

TEST(Price, RestsAreLongerAndLongerUntilTheLastStretch) {
  Program program(50);
  program.run(600'000);
  EXPECT_TRUE(program.price.has_ended());
  EXPECT_FALSE(program.price.may_begin_stretch());
  std::vector<std::size_t> rests;
  std::size_t idle = 0;
  for (const std::int64_t taken : program.by_millisecond) {
    if (taken > 0 && idle > 0) rests.push_back(idle);
    idle = taken > 0 ? 0 : idle + 1;
  }
  ASSERT_EQ(rests.size(), Price::kMostStretches - 1);
  for (std::size_t i = 0; i < rests.size(); ++i) EXPECT_NEAR(static_cast<double>(rests[i]), 1000 << i, 200);
}

TEST(Price, PassesAreRecordedAsOftenAsTheyAreEarned) {
  Program program(50);
  std::size_t recorded = 0;
  for (int pass = 0; pass < 1000; ++pass) {
    const bool records = program.price.may_record();
    recorded += records ? 1 : 0;
    for (int i = 0; i < 10; ++i) program.run_for_a_millisecond(records);
    EXPECT_FALSE(program.price.is_far_over());
  }
  EXPECT_GE(recorded, 100U);  // 500 ms of the recorder's in 10 s, 5 ms for each pass
  EXPECT_LE(recorded, 140U);  // and the first tenth of a second
}

TEST(Price, KnowsWhenThePassesAreNotWhatCosts) {
  Program program(30);
  for (int i = 0; i < 2000 && !program.price.is_far_over(); ++i) program.run_for_a_millisecond(true);
  EXPECT_TRUE(program.price.is_far_over());
}

TEST(Price, AClockThatStandsStillCostsAndEarnsNothing) {
  Program program(50);
  for (int i = 0; i < 1000; ++i) program.price.account(program.recorder, program.process);
  EXPECT_TRUE(program.price.may_record());
  EXPECT_TRUE(program.price.may_begin_stretch());
}

}  // namespace
}  // namespace memo::guest
