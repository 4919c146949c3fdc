// When the heap gives back: within and after the passes of a warm-up, once the plan serves, and ever more seldom where
// served passes and others take turns.
#include "runtime/idle_heap.h"

#include <gtest/gtest.h>

namespace memo::runtime {
namespace {

constexpr std::uint64_t kLane = std::uint64_t{40} << 20;
constexpr std::uint64_t kMuch = std::uint64_t{30} << 20;

int given_back_in(IdleHeap& heap, int passes, std::uint64_t fallback_bytes) {
  int count = 0;
  for (int pass = 0; pass < passes; ++pass) count += heap.pass_ended(fallback_bytes) ? 1 : 0;
  return count;
}

TEST(IdleHeap, GivesBackAfterTheFirstPassThatThePlanServesAndThenRests) {
  IdleHeap heap(kLane);
  EXPECT_TRUE(heap.pass_ended(0));
  EXPECT_EQ(given_back_in(heap, 1000, 1000), 0);
}

TEST(IdleHeap, GivesBackStepByStepWithinAWarmUp) {
  IdleHeap heap(kLane);
  int steps = 0;
  for (int block = 0; block < 100; ++block) steps += heap.provide(std::uint64_t{1} << 20) ? 1 : 0;
  EXPECT_EQ(steps, 100 / 11);  // each time more than a fourth of the slab has been asked for
}

TEST(IdleHeap, TinyPassesBeforeAWarmUpDoNotUseItUp) {
  IdleHeap heap(kLane);
  given_back_in(heap, 100, 4000);
  EXPECT_TRUE(heap.pass_ended(kMuch));
}

TEST(IdleHeap, APlanThatNeverFitsCostsNothingInTheEnd) {
  IdleHeap heap(kLane);
  EXPECT_EQ(given_back_in(heap, 1000, kMuch), 8);
  EXPECT_FALSE(heap.provide(10 * kLane));
}

TEST(IdleHeap, TrafficThatTakesTurnsPaysEverMoreSeldom) {
  IdleHeap heap(kLane);
  given_back_in(heap, 8, kMuch);
  int count = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    count += given_back_in(heap, 50, 0);
    heap.pass_ended(kMuch);
  }
  EXPECT_EQ(count, 3);  // after rows of 1, 4 and 16; the next would have to be of 64
}

TEST(IdleHeap, ASlabOfAFewPagesDoesNotMakeEveryAllocationAStep) {
  IdleHeap heap(4096);
  int steps = 0;
  for (int block = 0; block < 1000; ++block) steps += heap.provide(4096) ? 1 : 0;
  EXPECT_LE(steps, 4);
}

}  // namespace
}  // namespace memo::runtime
