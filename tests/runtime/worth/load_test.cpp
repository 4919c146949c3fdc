// Whether the load has changed, on simulated threads that begin passes by a clock of the test's. Failure: one more busy thread that
// nobody notices, a load that goes on as it was and is taken for another one, or a question more often than once a minute.
#include "runtime/worth/load.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>

#include "runtime/platform/clock.h"
#include "tests/runtime/worth/simulated.h"

namespace memo::runtime {
namespace {

using testing::Noise;

constexpr std::int64_t kBetweenPasses = kSecond / 200;
constexpr int kMinutes = 20;

char g_threads[16];  // their addresses name threads

// A program whose passes begin five milliseconds apart, each on a thread that chance decides on.
class Program {
 public:
  explicit Program(std::uint64_t seed) : noise_(seed) { watch_.follow(&g_threads[0]); }

  // Runs for a minute. Returns the load that the watch told; it must not tell more than one.
  Load run_for_a_minute(std::size_t threads) {
    Load load{};
    int told = 0;
    for (const std::int64_t end = now_ + 60 * kSecond; now_ < end; now_ += kBetweenPasses) {
      const void* thread = &g_threads[noise_.next() % threads];
      watch_.count(thread);
      if (!watch_.is_due(now_)) continue;
      load = watch_.end_window(thread, now_);
      ++told;
    }
    EXPECT_LE(told, 1);
    return load;
  }

 private:
  Noise noise_;
  LoadWatch watch_;
  std::int64_t now_ = 3600 * kSecond;
};

TEST(Load, GoesOnAsItWas) {
  for (std::size_t threads = 1; threads <= std::size(g_threads); ++threads) {
    Program program(threads);
    program.run_for_a_minute(threads);
    const Load first = program.run_for_a_minute(threads);
    for (int minute = 0; minute < kMinutes; ++minute)
      ASSERT_FALSE(has_changed(first, program.run_for_a_minute(threads))) << threads << " threads";
  }
}

TEST(Load, ChangesWhereThreadsComeAndGo) {
  Program program(1);
  program.run_for_a_minute(1);
  const Load alone = program.run_for_a_minute(1);
  program.run_for_a_minute(2);
  const Load two = program.run_for_a_minute(2);
  program.run_for_a_minute(4);
  const Load four = program.run_for_a_minute(4);
  program.run_for_a_minute(1);
  const Load alone_again = program.run_for_a_minute(1);
  EXPECT_TRUE(has_changed(alone, two));
  EXPECT_TRUE(has_changed(two, four));
  EXPECT_TRUE(has_changed(four, alone_again));
  EXPECT_TRUE(has_changed(two, alone_again));
  EXPECT_FALSE(has_changed(alone, alone_again));
}

// Another thread that begins a pass now and then makes no other load.
TEST(Load, IsTheSameBesideAThreadThatHardlyRuns) {
  EXPECT_FALSE(has_changed({.own = 1000, .others = 0}, {.own = 1000, .others = 100}));
}

TEST(Load, OfFewPassesTellsNothing) {
  EXPECT_FALSE(has_changed({.own = 1000, .others = 0}, {.own = 3, .others = 300}));
  EXPECT_FALSE(has_changed({.own = 3, .others = 300}, {.own = 1000, .others = 0}));
}

// A window goes on until there is enough in it.
TEST(LoadWatch, AddsUpWhatIsSeldom) {
  LoadWatch watch;
  watch.follow(&g_threads[0]);
  Load load{};
  for (int minute = 1; minute <= 16; ++minute) {
    watch.count(&g_threads[0]);
    load = watch.end_window(&g_threads[0], minute * 60 * kSecond);
  }
  EXPECT_EQ(load.own, 16U);
  watch.count(&g_threads[0]);
  EXPECT_EQ(watch.end_window(&g_threads[0], 17 * 60 * kSecond).own, 1U);
}

// A thread that has ended is not waited for, and what others did meanwhile is no load of theirs.
TEST(LoadWatch, FollowsAnotherWhereOneIsGone) {
  LoadWatch watch;
  watch.follow(&g_threads[0]);
  for (int pass = 0; pass < 100; ++pass) watch.count(&g_threads[1]);
  EXPECT_EQ(watch.end_window(&g_threads[1], 60 * kSecond).own, 0U);
  for (int pass = 0; pass < 100; ++pass) watch.count(&g_threads[1]);
  const Load load = watch.end_window(&g_threads[1], 120 * kSecond);
  EXPECT_EQ(load.own, 100U);
  EXPECT_EQ(load.others, 0U);
}

}  // namespace
}  // namespace memo::runtime
