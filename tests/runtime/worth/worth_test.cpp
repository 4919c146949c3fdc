// Which way passes take while they are compared, and after that. The figures are real: threads work for as long as a test wants. Failure:
// passes that serving harms go on being served, or more than one pass at a time goes to the heap to be compared.
#include "runtime/worth/worth.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "runtime/platform/effort.h"

namespace memo::runtime {
namespace {

constexpr std::uint64_t kMicrosecond = 1000;
constexpr int kMost = 400'000;  // passes

char g_thread, g_other_thread;  // their addresses name threads

void work_for(std::uint64_t nanoseconds) {
  const std::uint64_t end = nanoseconds_worked_by_thread() + nanoseconds;
  while (nanoseconds_worked_by_thread() < end) continue;
}

class Compared : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { compare_ways(WhoPlans::kUser); }
  void SetUp() override { forget_findings(); }

  // Begins a pass of the key, which takes so long on either way.
  static Way run(std::uint64_t key, std::uint64_t served, std::uint64_t heap) {
    PassKind& kind = kind_of(key);
    count_passes(kind);
    const Way way = way_of(kind, &g_thread, true);
    work_for((way == Way::kSlab ? served : heap) * kMicrosecond);
    return way;
  }

  // Runs passes until something was found of them.
  static Finding find(std::uint64_t key, std::uint64_t served, std::uint64_t heap) {
    for (int pass = 0; pass < kMost; ++pass) {
      run(key, served, heap);
      const Finding finding = look_at_worth().worth.finding;
      if (finding != Finding::kNothingYet) return finding;
    }
    return Finding::kNothingYet;
  }
};

TEST_F(Compared, WhatServingHarmsStandsAside) {
  EXPECT_EQ(find(1, 60, 40), Finding::kHarms);
  EXPECT_EQ(way_of(kind_of(1), &g_thread, true), Way::kHeap);
  const WorthFigures figures = look_at_worth();
  EXPECT_EQ(figures.aside_kinds, 1U);
  EXPECT_NEAR(figures.worth.share, 0.5, 0.3);
  EXPECT_GT(figures.worth.low, 0);
}

TEST_F(Compared, WhatServingHelpsIsServed) {
  EXPECT_EQ(find(2, 40, 60), Finding::kHelps);
  for (int pass = 0; pass < 1000; ++pass) ASSERT_EQ(way_of(kind_of(2), &g_thread, true), Way::kSlab);
  EXPECT_NEAR(look_at_worth().worth.share, -0.33, 0.2);
  EXPECT_LT(look_at_worth().worth.high, 0);
}

TEST_F(Compared, TheEndOfAComparisonIsToldOnce) {
  int ends = 0;
  for (int pass = 0; look_at_worth().worth.finding == Finding::kNothingYet; ++pass) {
    ASSERT_LT(pass, kMost);
    ends += run(8, 40, 60) == Way::kSlabFromNowOn ? 1 : 0;
  }
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(run(8, 40, 60), Way::kSlab);
}

TEST_F(Compared, TheWarmUpIsServed) {
  for (int pass = 0; pass < 1000; ++pass) ASSERT_EQ(way_of(kind_of(3), &g_thread, false), Way::kSlab);
  EXPECT_EQ(look_at_worth().worth.pairs, 0U);
}

// The heap holds one pass beside the slab, and no more, whoever else runs passes of the same kind or of another one.
TEST_F(Compared, OneThreadsPassesAreComparedAtATime) {
  int to_the_heap = 0;
  for (int pass = 0; pass < 200; ++pass) {
    to_the_heap += run(4, 20, 20) == Way::kHeapToCompare ? 1 : 0;
    ASSERT_EQ(way_of(kind_of(4), &g_other_thread, true), Way::kSlab);
    ASSERT_EQ(way_of(kind_of(5), &g_other_thread, true), Way::kSlab);
  }
  EXPECT_GT(to_the_heap, 10);
}

// A thread that has ended, or does something else, holds up the experiment for a second.
TEST_F(Compared, AnotherThreadGoesOnWhereOneIsGone) {
  run(6, 20, 20);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  int to_the_heap = 0;
  for (int pass = 0; pass < 100; ++pass)
    to_the_heap += way_of(kind_of(6), &g_other_thread, true) == Way::kHeapToCompare ? 1 : 0;
  EXPECT_GT(to_the_heap, 10);
}

TEST_F(Compared, AnotherPlanIsAnotherMatter) {
  ASSERT_EQ(find(7, 60, 40), Finding::kHarms);
  forget_findings();
  EXPECT_EQ(look_at_worth().aside_kinds, 0U);
  int compared = 0;
  for (int pass = 0; pass < 20; ++pass) compared += run(7, 20, 20) == Way::kHeapToCompare ? 1 : 0;
  EXPECT_GT(compared, 2);
}

Worth found_earlier(Finding finding, double share) {
  Worth worth{};
  worth.finding = finding;
  worth.share = share;
  worth.pairs = 40;
  worth.found_at = 1'800'000'000;
  return worth;
}

TEST_F(Compared, WhatAnEarlierStartFoundToHarmStandsAsideFromItsFirstPassOn) {
  take_over(9, found_earlier(Finding::kHarms, 0.2));
  EXPECT_EQ(look_at_worth().aside_kinds, 0U) << "none of its passes has begun";
  count_passes(kind_of(9));
  EXPECT_EQ(way_of(kind_of(9), &g_thread, false), Way::kHeap);
  const WorthFigures figures = look_at_worth();
  EXPECT_EQ(figures.aside_kinds, 1U);
  EXPECT_EQ(figures.worth.found_earlier, 1U);
  EXPECT_EQ(figures.worth.pairs, 40U);
}

TEST_F(Compared, WhatAnEarlierStartFoundToHelpIsNotComparedAgainAtOnce) {
  for (const Finding finding : {Finding::kHelps, Finding::kNoDifference, Finding::kCannotTell}) {
    take_over(10, found_earlier(finding, -0.1));
    for (int pass = 0; pass < 100; ++pass) ASSERT_EQ(run(10, 1, 1), Way::kSlab);
    EXPECT_EQ(look_at_worth().worth.finding, finding);
  }
}

TEST_F(Compared, WhatAnEarlierStartFoundCountsForThisPlanAlone) {
  take_over(11, found_earlier(Finding::kHarms, 0.2));
  forget_findings();
  count_passes(kind_of(11));
  EXPECT_NE(way_of(kind_of(11), &g_thread, true), Way::kHeap);
}

// What is kept for the next start is what was found here. Otherwise a finding would be as young as the last start for ever.
TEST_F(Compared, WhatIsCopiedWasFoundHere) {
  take_over(12, found_earlier(Finding::kHelps, -0.1));
  FoundKind found[kMostFoundKinds];
  std::uint32_t count = 0;
  ASSERT_TRUE(copy_findings(found, &count));
  EXPECT_EQ(count, 0U);
  const std::uint64_t before = findings_made();
  ASSERT_EQ(find(13, 60, 40), Finding::kHarms);
  EXPECT_EQ(findings_made(), before + 1);
  ASSERT_TRUE(copy_findings(found, &count));
  ASSERT_EQ(count, 1U);
  EXPECT_EQ(found[0].key, 13U);
  EXPECT_GT(found[0].passes, 8U);
  EXPECT_EQ(found[0].worth.finding, Finding::kHarms);
  EXPECT_GT(found[0].worth.found_at, 1'700'000'000);
  forget_findings();
  ASSERT_TRUE(copy_findings(found, &count));
  EXPECT_EQ(count, 0U) << "it was of the plan before";
}

// Threads begin passes side by side while another one looks. None waits; what is found of passes that do nothing does not matter.
TEST_F(Compared, ThreadsBeginPassesWithoutALock) {
  std::thread threads[4];
  for (std::thread& thread : threads)
    thread = std::thread([] {
      const char own = 0;
      for (int pass = 0; pass < 20'000; ++pass) {
        PassKind& kind = kind_of(8);
        count_passes(kind);
        static_cast<void>(way_of(kind, &own, true));
      }
    });
  for (int look = 0; look < 1000; ++look) EXPECT_LE(look_at_worth().aside_kinds, look_at_worth().of_kinds);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace memo::runtime
