// When the heap gives back: after the passes of a warm-up, once the plan serves, and then only after a while in
// which no pass wanted much of it.
#include "runtime/slab/heap_purge_policy.h"

#include <gtest/gtest.h>

namespace memo::runtime {
namespace {

constexpr std::uint64_t kLane = std::uint64_t{40} << 20;
constexpr std::uint64_t kMuch = much_of_the_heap(kLane);
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMillisecond;

void use_up_warm_up(IdleHeap& heap) {
  for (std::uint32_t pass = 0; pass < IdleHeap::kWarmUpPasses; ++pass)
    EXPECT_TRUE(heap.wanted(0, kMuch + pass));
}

// Every `gap` a pass ends, all but each `period`th without wanting anything.
int given_back_in(IdleHeap& heap, std::int64_t from, std::int64_t until, std::int64_t gap, int period) {
  int count = 0;
  int pass = 0;
  for (std::int64_t now = from; now < until; now += gap)
    count += (++pass % period == 0 ? heap.wanted(now, kMuch) : heap.not_wanted(now)) ? 1 : 0;
  return count;
}

TEST(IdleHeap, GivesBackAfterTheFirstPassThatThePlanServesAndThenRests) {
  IdleHeap heap;
  EXPECT_TRUE(heap.not_wanted(0));
  EXPECT_FALSE(heap.is_in_use());
  EXPECT_EQ(given_back_in(heap, 0, 100 * kSecond, 10 * kMillisecond, 1 << 30), 0);
}

TEST(IdleHeap, TinyPassesBeforeAWarmUpDoNotUseItUp) {
  IdleHeap heap;
  for (int pass = 0; pass < 100; ++pass) heap.not_wanted(pass);
  EXPECT_TRUE(heap.wanted(100, kMuch));
}

TEST(IdleHeap, AWarmUpThatWantsEverMoreLastsForEightPasses) {
  IdleHeap heap;
  use_up_warm_up(heap);
  EXPECT_FALSE(heap.wanted(0, 100 * kMuch));
}

// The first; the second, which leaves half of the seven; the third, which leaves half of the three; the fourth, the last.
TEST(IdleHeap, APlanThatNeverFitsCostsNothingInTheEnd) {
  IdleHeap heap;
  EXPECT_EQ(given_back_in(heap, 0, 100 * kSecond, 10 * kMillisecond, 1), 4);
}

TEST(IdleHeap, WhatIsWantedAgainWithinASecondIsKeptHoweverManyPassesLieBetween) {
  IdleHeap heap;
  use_up_warm_up(heap);
  EXPECT_TRUE(heap.not_wanted(0));
  EXPECT_FALSE(heap.wanted(0, kMuch));
  EXPECT_EQ(given_back_in(heap, 0, 100 * kSecond, kMillisecond / 10, 5000), 0);
}

TEST(IdleHeap, TrafficThatTakesTurnsPaysEverMoreSeldom) {
  IdleHeap heap;
  use_up_warm_up(heap);
  constexpr int kAtOnceThenAfterOneAndFourSeconds = 3;
  EXPECT_EQ(given_back_in(heap, 0, 10'000 * kSecond, kSecond, 16), kAtOnceThenAfterOneAndFourSeconds);
}

TEST(IdleHeap, MakesRoomAsLongAsItWarmsUp) {
  IdleHeap heap;
  EXPECT_TRUE(heap.makes_room());
  use_up_warm_up(heap);
  EXPECT_FALSE(heap.makes_room());
}

TEST(GivenBack, ChargesOnceAndOnlyForWhatIsWantedAgain) {
  GivenBack given_back;
  EXPECT_EQ(given_back.take(kMuch), 0U);
  given_back.add(3 * kMuch);
  EXPECT_EQ(given_back.take(kMuch), kMuch);
  EXPECT_EQ(given_back.take(9 * kMuch), 2 * kMuch);
  EXPECT_EQ(given_back.take(kMuch), 0U);
}

}  // namespace
}  // namespace memo::runtime
