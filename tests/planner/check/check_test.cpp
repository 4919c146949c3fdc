// The checkers guard everything else, so each way to be wrong has a plan that is wrong in that way alone, and
// both checkers must give that answer.
#include "planner/check/check.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace memo::planner {
namespace {

const Problem kPair{.buffers = {{.life = {0, 4}, .size = 8, .alignment = 4},
                                {.life = {2, 6}, .size = 4, .alignment = 1, .fixed = 16}},
                    .capacity = 20};

void expect(Fault fault, const Problem& problem, const Offsets& offsets) {
  EXPECT_EQ(check_by_sweep(problem, offsets).fault, fault) << check_by_sweep(problem, offsets).sentence;
  EXPECT_EQ(check_by_pairs(problem, offsets).fault, fault) << check_by_pairs(problem, offsets).sentence;
}

TEST(Check, AcceptsAValidPlan) {
  expect(Fault::kValid, kPair, {8, 16});
  expect(Fault::kValid, Problem{}, {});
}

TEST(Check, WrongCount) {
  expect(Fault::kWrongCount, kPair, {8});
}

TEST(Check, NegativeOffset) {
  expect(Fault::kNegativeOffset, kPair, {-4, 16});
}

TEST(Check, Overflow) {
  expect(Fault::kOverflow, kPair, {std::numeric_limits<Offset>::max() - 7, 16});
}

TEST(Check, Misaligned) {
  expect(Fault::kMisaligned, kPair, {6, 16});
}

TEST(Check, FixedMoved) {
  expect(Fault::kFixedMoved, kPair, {0, 15});
}

TEST(Check, OverCapacity) {
  Problem tight = kPair;
  tight.capacity = 19;
  expect(Fault::kOverCapacity, tight, {0, 16});
}

TEST(Check, Overlap) {
  expect(Fault::kOverlap, kPair, {12, 16});
}

TEST(Check, SaysWhichBytesAndWhen) {
  EXPECT_EQ(check_by_sweep(kPair, {12, 16}).sentence,
            "buffers 0 and 1 share bytes [16, 20) while both are alive in [2, 4)");
}

// Bytes may be used again from the moment their owner dies.
TEST(Check, ADeathMakesRoomForABirthOfTheSameMoment) {
  const Problem problem{.buffers = {{.life = {0, 4}, .size = 8}, {.life = {4, 6}, .size = 8}},
                        .capacity = {}};
  expect(Fault::kValid, problem, {0, 0});
}

Problem arbitrary_problem() {
  Problem problem;
  const int count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) {
    const Time begin = *rc::gen::inRange(0, 8);
    problem.buffers.push_back(
        {.life = {begin, begin + *rc::gen::inRange(1, 5)}, .size = *rc::gen::inRange(1, 6)});
  }
  return problem;
}

// Random plans of small slabs are wrong about half of the time; the two checkers must always agree.
RC_GTEST_PROP(Check, SweepAndPairsAgree, ()) {
  const Problem problem = arbitrary_problem();
  Offsets offsets;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) offsets.push_back(*rc::gen::inRange(0, 40));
  RC_ASSERT(check_by_sweep(problem, offsets).fault == check_by_pairs(problem, offsets).fault);
}

}  // namespace
}  // namespace memo::planner
