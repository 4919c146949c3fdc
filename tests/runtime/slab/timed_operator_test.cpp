// A served pass is charged for hearing of operators: one in 32 is timed and counts for all. A failure means that serving goes on
// where operators cost more than the blocks save, or stands aside for time that was not the library's.
#include "runtime/slab/timed_operator.h"

#include <cstdlib>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kSite = 7;

std::uint64_t ticks_of_microseconds(std::uint64_t microseconds) {
  static const std::uint64_t each = [] {
    const auto ended = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    const std::uint64_t begin = ticks_now();
    while (std::chrono::steady_clock::now() < ended) continue;
    return (ticks_now() - begin) / 20'000;
  }();
  return microseconds * each;
}

// Hears of an operator for at least so many ticks.
void hear_for(std::uint64_t ticks) {
  const TimedOperator timed;
  const std::uint64_t begin = ticks_now();
  while (ticks_now() - begin < ticks) continue;
}

class TimedOperators : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { measure_prices(std::malloc, std::free, WhoPlans::kUser); }

  void SetUp() override {
    PlanDescription plan = empty_plan();
    plan.cells = {64};
    plan.variants = {{.slots = {cell_slot(kSite, 64, 0)}}};
    serve(plan);
    pass_begin(0, __builtin_frame_address(0));
    ASSERT_NE(t_self.lane, nullptr);
  }
  void TearDown() override { pass_end(); }

  static std::uint64_t charged() { return t_self.lane->progress.operator_ticks; }
};

TEST_F(TimedOperators, OneStandsForAll) {
  const std::uint64_t before = charged();
  for (int i = 0; i < 320; ++i) hear_for(ticks_of_microseconds(2));
  EXPECT_GE(charged() - before, 320 * ticks_of_microseconds(2) / 2);
}

TEST_F(TimedOperators, WhatTakesTooLongIsNotTheLibrarys) {
  const std::uint64_t before = charged();
  for (int i = 0; i < 64; ++i) hear_for(ticks_of_microseconds(200));
  EXPECT_EQ(charged(), before);
}

TEST_F(TimedOperators, APassThatEndsMeanwhileIsNotCharged) {
  for (int i = 0; i < 33; ++i) {
    const TimedOperator timed;
    if (t_self.lane != nullptr) pass_end();
  }
  EXPECT_EQ(t_self.lane, nullptr);
}

}  // namespace
}  // namespace memo::runtime
