// What is found of simulated pairs, ten thousand times for each true effect. Failure: a finding is false more often than in one of a
// hundred, or none comes although there is something to find.
#include "runtime/worth/paired_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tests/runtime/worth/simulated.h"

namespace memo::runtime {
namespace {

using testing::Noise;

constexpr int kRuns = 10'000;

struct Found {
  int of[5];
  std::uint64_t pairs;

  [[nodiscard]] int count(Finding finding) const { return of[static_cast<int>(finding)]; }
};

Found find(double effect, double spread) {
  Found found{};
  for (int run = 0; run < kRuns; ++run) {
    Noise noise(static_cast<std::uint64_t>(run));
    PairedTest test;
    while (!test.is_over()) test.note((1 + effect) * noise.factor(spread), noise.factor(spread));
    ++found.of[static_cast<int>(test.finding())];
    found.pairs += test.pairs();
  }
  return found;
}

class Effects : public ::testing::TestWithParam<double> {};

TEST_P(Effects, AreFoundAndNoOther) {
  const double effect = GetParam();
  for (const double spread : {0.005, 0.02, 0.10}) {
    const Found found = find(effect, spread);
    const Finding right = effect < 0   ? Finding::kHelps
                          : effect > 0 ? Finding::kHarms
                                       : Finding::kNoDifference;
    const int wrong = kRuns - found.count(right) - found.count(Finding::kCannotTell);
    std::printf("effect %+.0f %%, spread %4.1f %%: %d found, %d cannot be told, %d wrong, after %.0f pairs\n",
                100 * effect, 100 * spread, found.count(right), found.count(Finding::kCannotTell), wrong,
                static_cast<double>(found.pairs) / kRuns);
    EXPECT_LE(wrong, kRuns / 100) << "spread " << spread;
    const bool is_plain = std::abs(effect) > 2 * spread;
    EXPECT_GE(found.count(right), is_plain ? kRuns * 99 / 100 : 0) << "spread " << spread;
  }
}

INSTANTIATE_TEST_SUITE_P(Worth, Effects, ::testing::Values(-0.05, -0.01, 0.0, 0.01, 0.05));

TEST(PairedTest, SaysHowManyPairsItWants) {
  PairedTest test;
  EXPECT_EQ(test.pairs_to_look(), 8U);
  for (int pair = 0; pair < 7; ++pair) test.note(1 + 0.2 * (pair % 2), 1);
  EXPECT_EQ(test.pairs_to_look(), 1U);
  EXPECT_EQ(test.finding(), Finding::kNothingYet);
}

// Shares are of what the heap takes, whatever the test reckons with.
TEST(PairedTest, TellsAShareOfTheHeaps) {
  PairedTest test;
  for (int pair = 0; pair < 8; ++pair) test.note(80, 100);
  EXPECT_EQ(test.finding(), Finding::kHelps);
  EXPECT_NEAR(test.share(), -0.2, 1e-6);
  EXPECT_NEAR(test.low(), -0.2, 1e-6);
}

TEST(PairedTest, EndsAtTheLastLook) {
  Noise noise(1);
  PairedTest test;
  while (!test.is_over()) test.note(noise.factor(0.5), noise.factor(0.5));
  EXPECT_EQ(test.finding(), Finding::kCannotTell);
  EXPECT_EQ(test.pairs(), PairedTest::kMostPairs);
  EXPECT_EQ(test.pairs_to_look(), 0U);
  test.note(1, 100);
  EXPECT_EQ(test.pairs(), PairedTest::kMostPairs);
}

// What took nothing says nothing.
TEST(PairedTest, LeavesOutEmptyPairs) {
  PairedTest test;
  test.note(0, 0);
  EXPECT_EQ(test.pairs(), 0U);
}

}  // namespace
}  // namespace memo::runtime
