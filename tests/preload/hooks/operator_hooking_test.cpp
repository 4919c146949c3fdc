// When the hooks of operators hooking: after a long row of passes that heard of none, until several want a lead.
#include "preload/hooks/operator_hooking.h"

#include <gtest/gtest.h>

namespace memo::guest {
namespace {

using Step = OperatorHooking::Step;

// Returns the number of passes in a row of this kind until something is to be done, or 0 where nothing was in a million.
int passes_until(OperatorHooking& hooking, bool heard, Step expected) {
  for (int pass = 1; pass <= 1'000'000; ++pass) {
    const Step step = hooking.note(heard);
    if (step == Step::kNone) continue;
    EXPECT_EQ(step, expected);
    return pass;
  }
  return 0;
}

TEST(OperatorHooking, BeginsAfterARowWithoutAnOperator) {
  OperatorHooking hooking;
  const int row = passes_until(hooking, false, Step::kUnhook);
  EXPECT_GT(row, 10);
  EXPECT_TRUE(hooking.are_unhooked());
}

TEST(OperatorHooking, OnePassThatHearsBeginsTheRowAnew) {
  OperatorHooking hooking;
  const int row = passes_until(hooking, false, Step::kUnhook);
  OperatorHooking other;
  for (int pass = 1; pass < row; ++pass) EXPECT_EQ(other.note(false), Step::kNone);
  EXPECT_EQ(other.note(true), Step::kNone);
  EXPECT_EQ(passes_until(other, false, Step::kUnhook), row);
}

TEST(OperatorHooking, NeverBeginsWherePassesHear) {
  OperatorHooking hooking;
  EXPECT_EQ(passes_until(hooking, true, Step::kNone), 0);
  EXPECT_FALSE(hooking.are_unhooked());
}

TEST(OperatorHooking, EndsWhenSeveralPassesWantALead) {
  OperatorHooking hooking;
  passes_until(hooking, false, Step::kUnhook);
  EXPECT_EQ(hooking.note(true), Step::kNone) << "one proves little";
  EXPECT_GT(passes_until(hooking, true, Step::kHook), 1);
  EXPECT_FALSE(hooking.are_unhooked());
}

// So a program that departs now and then does not walk over all slots each time.
TEST(OperatorHooking, TakesLongerToBeginAfterEachReturn) {
  OperatorHooking hooking;
  int before = passes_until(hooking, false, Step::kUnhook);
  for (int time = 0; time < 4; ++time) {
    passes_until(hooking, true, Step::kHook);
    const int row = passes_until(hooking, false, Step::kUnhook);
    EXPECT_GE(row, 4 * before);
    before = row;
  }
}

TEST(OperatorHooking, EndsOnceForARecording) {
  OperatorHooking hooking;
  EXPECT_FALSE(hooking.end());
  passes_until(hooking, false, Step::kUnhook);
  EXPECT_TRUE(hooking.end());
  EXPECT_FALSE(hooking.end());
}

}  // namespace
}  // namespace memo::guest
