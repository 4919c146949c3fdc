// Which lanes are still needed: what ran at once counts for as long as the wait, and not much longer. Failure: a lane that
// goes although a pass needed it within the wait, or memory of a burst that stays for half as long again.
#include "runtime/slab/lane_release_policy.h"

#include <gtest/gtest.h>

namespace memo::runtime {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kWait = 10 * kSecond;
constexpr std::int64_t kStart = 1000 * kSecond;

// Looks every `gap`, with one pass running in each. Returns for how long after the look at `begin`, which saw `burst`
// passes at once, more than one counted.
std::int64_t burst_counts_for(std::int64_t begin, std::int64_t gap, std::uint32_t burst) {
  LaneReleasePolicy policy;
  policy.set_wait(kWait);
  EXPECT_TRUE(policy.is_due(begin));
  policy.note_passes(burst);
  std::int64_t now = begin;
  while (policy.most_at_once() > 1 && now < begin + 10 * kWait) {
    if (policy.is_due(now += gap)) policy.note_passes(1);
  }
  return now - begin;
}

TEST(LaneRelease, ABurstCountsForTheWaitAndNotMuchLonger) {
  for (const std::int64_t gap : {kSecond / 100, kSecond, 3 * kSecond / 2}) {
    for (std::int64_t begin = kStart; begin < kStart + kWait; begin += kSecond / 7) {
      const std::int64_t counted = burst_counts_for(begin, gap, 32);
      EXPECT_GE(counted, kWait) << begin << " " << gap;
      EXPECT_LE(counted, kWait + kWait / 4 + gap) << begin << " " << gap;
    }
  }
}

TEST(LaneRelease, NothingIsEverDueWithoutAWait) {
  LaneReleasePolicy policy;
  EXPECT_FALSE(policy.is_due(kStart));
  policy.set_wait(kWait);
  EXPECT_TRUE(policy.is_due(kStart));
  policy.set_wait(0);
  EXPECT_FALSE(policy.is_due(kStart + kWait));
}

TEST(LaneRelease, OneThreadLooksInEachPart) {
  LaneReleasePolicy policy;
  policy.set_wait(kWait);
  int looks = 0;
  for (std::int64_t now = kStart; now < kStart + kWait; now += kSecond / 100)
    looks += policy.is_due(now) ? 1 : 0;
  EXPECT_EQ(looks, static_cast<int>(LaneReleasePolicy::kPartsOfWait));
}

// Where nobody looked for long, all that was before is over, and what the look itself saw counts.
TEST(LaneRelease, ALookAfterALongSleepForgetsWhatWasBefore) {
  LaneReleasePolicy policy;
  policy.set_wait(kWait);
  EXPECT_TRUE(policy.is_due(kStart));
  policy.note_passes(32);
  const std::uint32_t before = policy.part();
  EXPECT_TRUE(policy.is_due(kStart + 100 * kWait));
  policy.note_passes(2);
  EXPECT_EQ(policy.most_at_once(), 2U);
  EXPECT_TRUE(policy.is_over(before));
  EXPECT_FALSE(policy.is_over(policy.part()));
}

}  // namespace
}  // namespace memo::runtime
