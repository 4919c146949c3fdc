// Proves which marked passes are skipped: those of a key that was let be skipped, for a while, with all that begins inside them; never
// one inside a pass that runs, and none behind a pass that was left without an end. All of them are counted once.
#include "runtime/slab/skipping.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/platform/ticks.h"
#include "runtime/slab/progress.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {
namespace {

constexpr std::uint64_t kKey = 77;
constexpr std::uint64_t kOther = 78;
constexpr std::uint64_t kAlways = std::uint64_t{1}
                                  << 50;  // ticks in a second: a hundredth of it does not pass in a test
const int kSomewhere = 0;
const void* const kHere = &kSomewhere;

class Skipping : public ::testing::Test {
 protected:
  void SetUp() override {
    skip_no_passes();
    forget_skipped_passes();
    t_skipped = {};
  }
  void TearDown() override { t_self.depth = 0; }
};

TEST_F(Skipping, IsOfTheKeysThatWereLetAlone) {
  EXPECT_FALSE(skip_pass(kKey, 1000, kHere));
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  EXPECT_FALSE(skip_pass(kOther, 1000, kHere));
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere));
  EXPECT_TRUE(end_skipped_pass());
  EXPECT_FALSE(end_skipped_pass());
}

TEST_F(Skipping, EndsAfterAWhileAndWithAnotherPlan) {
  let_be_skipped(kKey, Reason::kGaveUp, 0);
  EXPECT_FALSE(skip_pass(kKey, 1000, kHere));
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  skip_no_passes();
  EXPECT_FALSE(skip_pass(kKey, 1000, kHere));
}

// The clock is what costs most of a skipped pass.
TEST_F(Skipping, GoesOnForSevenPassesAfterAWhileAtTheMost) {
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere));
  ASSERT_TRUE(end_skipped_pass());
  skip_of(kKey).until = 1;  // long ago
  std::uint32_t skipped = 0;
  while (skip_pass(kKey, 1000, kHere)) {
    ASSERT_TRUE(end_skipped_pass());
    ASSERT_LT(++skipped, kPassesPerClock);
  }
  EXPECT_EQ(skipped, kPassesPerClock - 1);
}

TEST_F(Skipping, TakesWhatBeginsInsideAlong) {
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere));
  EXPECT_TRUE(skip_pass(kOther, 900, kHere)) << "deeper in the stack";
  EXPECT_TRUE(skip_pass(kOther, 1000, &kAlways)) << "further on in the same function";
  EXPECT_TRUE(is_inside_skipped(800, kHere));
  for (int depth = 0; depth < 3; ++depth) EXPECT_TRUE(end_skipped_pass());
  EXPECT_FALSE(is_inside_skipped(800, kHere));
}

TEST_F(Skipping, SeesThatAPassWasLeftWithoutAnEnd) {
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere));
  EXPECT_FALSE(skip_pass(kOther, 1100, kHere)) << "further out";
  EXPECT_FALSE(end_skipped_pass());
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere));
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere)) << "the same begin again";
  EXPECT_TRUE(end_skipped_pass());
  EXPECT_FALSE(end_skipped_pass());
}

// What begins deeper in the stack a second later is no part of a pass that an exception ended.
TEST_F(Skipping, DoesNotTakeWhatFollowsForAPartForEver) {
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere));
  t_skipped.left_at = ticks_now();
  EXPECT_FALSE(skip_pass(kOther, 900, kHere));
}

TEST_F(Skipping, LeavesPassesInsideRunningOnesAlone) {
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  t_self.depth = 1;
  EXPECT_FALSE(skip_pass(kKey, 1000, kHere));
}

TEST_F(Skipping, CountsEachPassOnceForItsKey) {
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  let_be_skipped(kOther, Reason::kGaveUp, kAlways);
  const auto pass = [](std::uint64_t key) {
    ASSERT_TRUE(skip_pass(key, 1000, kHere));
    ASSERT_TRUE(end_skipped_pass());
  };
  for (int number = 0; number < 10; ++number) pass(kKey);
  pass(kOther);
  std::thread([&] { ASSERT_TRUE(skip_pass(kKey, 1000, kHere)) << "whose thread ends inside it"; }).join();
  EXPECT_EQ(take_skipped(skip_of(kKey)), 11U);
  EXPECT_EQ(take_skipped(skip_of(kKey)), 0U);
  EXPECT_EQ(take_skipped(skip_of(kOther)), 1U);
}

TEST_F(Skipping, HasOperatorsNotTold) {
  let_be_skipped(kKey, Reason::kGaveUp, kAlways);
  t_self.ignores_operators = false;
  ASSERT_TRUE(skip_pass(kKey, 1000, kHere));
  EXPECT_TRUE(t_self.ignores_operators);
  EXPECT_TRUE(end_skipped_pass());
}

}  // namespace
}  // namespace memo::runtime
