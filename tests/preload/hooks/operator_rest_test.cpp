// When the hooks of operators rest: after a long row of passes that heard of none, until several want a lead.
#include "preload/hooks/operator_rest.h"

#include <gtest/gtest.h>

namespace memo::guest {
namespace {

using Step = OperatorRest::Step;

// Returns the number of passes in a row of this kind until something is to be done, or 0 where nothing was in a million.
int passes_until(OperatorRest& rest, bool heard, Step expected) {
  for (int pass = 1; pass <= 1'000'000; ++pass) {
    const Step step = rest.note(heard);
    if (step == Step::kNone) continue;
    EXPECT_EQ(step, expected);
    return pass;
  }
  return 0;
}

TEST(OperatorRest, BeginsAfterARowWithoutAnOperator) {
  OperatorRest rest;
  const int row = passes_until(rest, false, Step::kRest);
  EXPECT_GT(row, 10);
  EXPECT_TRUE(rest.rests());
}

TEST(OperatorRest, OnePassThatHearsBeginsTheRowAnew) {
  OperatorRest rest;
  const int row = passes_until(rest, false, Step::kRest);
  OperatorRest other;
  for (int pass = 1; pass < row; ++pass) EXPECT_EQ(other.note(false), Step::kNone);
  EXPECT_EQ(other.note(true), Step::kNone);
  EXPECT_EQ(passes_until(other, false, Step::kRest), row);
}

TEST(OperatorRest, NeverBeginsWherePassesHear) {
  OperatorRest rest;
  EXPECT_EQ(passes_until(rest, true, Step::kNone), 0);
  EXPECT_FALSE(rest.rests());
}

TEST(OperatorRest, EndsWhenSeveralPassesWantALead) {
  OperatorRest rest;
  passes_until(rest, false, Step::kRest);
  EXPECT_EQ(rest.note(true), Step::kNone) << "one proves little";
  EXPECT_GT(passes_until(rest, true, Step::kReturn), 1);
  EXPECT_FALSE(rest.rests());
}

// So a program that departs now and then does not walk over all slots each time.
TEST(OperatorRest, TakesLongerToBeginAfterEachReturn) {
  OperatorRest rest;
  int before = passes_until(rest, false, Step::kRest);
  for (int time = 0; time < 4; ++time) {
    passes_until(rest, true, Step::kReturn);
    const int row = passes_until(rest, false, Step::kRest);
    EXPECT_GE(row, 4 * before);
    before = row;
  }
}

TEST(OperatorRest, EndsOnceForARecording) {
  OperatorRest rest;
  EXPECT_FALSE(rest.end());
  passes_until(rest, false, Step::kRest);
  EXPECT_TRUE(rest.end());
  EXPECT_FALSE(rest.end());
}

}  // namespace
}  // namespace memo::guest
