// One thread at a time holds a flag, and sees what the holder before it did. Failure: two holders at once, a flag that stays held, or one
// that is given back by somebody who did not get it.
#include "runtime/platform/try_flag.h"

#include <gtest/gtest.h>

#include <thread>

namespace memo::runtime {
namespace {

TEST(TryFlag, IsHeldByTheFirst) {
  TryFlag flag;
  const HeldFlag first(flag);
  EXPECT_TRUE(first.is_mine());
  EXPECT_FALSE(HeldFlag(flag).is_mine());
  EXPECT_FALSE(HeldFlag(flag).is_mine()) << "given back by who did not get it";
}

TEST(TryFlag, IsGivenBackAtTheEnd) {
  TryFlag flag;
  EXPECT_TRUE(HeldFlag(flag).is_mine());
  EXPECT_TRUE(HeldFlag(flag).is_mine());
}

TEST(TryFlag, IsFreeInACopyWhoeverHeldIt) {
  TryFlag flag;
  ASSERT_TRUE(flag.take());
  flag.give_up_in_copy();
  EXPECT_TRUE(HeldFlag(flag).is_mine());
}

// The plain number would be a race if two threads held the flag.
TEST(TryFlag, WhatOneHolderWroteTheNextReads) {
  constexpr int kThreads = 4, kRounds = 5'000;
  TryFlag flag;
  int rounds = 0;
  std::thread threads[kThreads];
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      for (int round = 0; round < kRounds;) {
        const HeldFlag held(flag);
        if (!held.is_mine()) continue;
        ++rounds;
        ++round;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(rounds, kThreads * kRounds);
}

}  // namespace
}  // namespace memo::runtime
