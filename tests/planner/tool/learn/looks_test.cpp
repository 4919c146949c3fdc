// When a trace is tried again, by a clock that the test moves: soon where looks are cheap, seldom where they have cost
// much in vain, and never where nothing was written since.
#include "planner/tool/learn/looks.h"

#include <gtest/gtest.h>

namespace memo::learn {
namespace {

using namespace std::chrono_literals;

// A trace that is written to all the time.
struct GrowingTrace {
  Looks looks;
  Looks::Clock::time_point now{};
  Looks::Written written{};

  void pass_time(Looks::Clock::duration time) {
    now += time;
    written += std::chrono::duration_cast<Looks::Written::duration>(time);
  }
  bool is_due() { return looks.is_due("trace", written, now); }
  void look_in_vain(Looks::Clock::duration cost) {
    looks.begin("trace", written);
    pass_time(cost);
    looks.end_in_vain("trace", now, cost);
  }
  Looks::Clock::duration time_until_due() {
    const Looks::Clock::time_point since = now;
    while (!is_due()) pass_time(100ms);
    return now - since;
  }
};

TEST(Looks, ATraceIsLookedAtOnceItIsThere) {
  GrowingTrace trace;
  EXPECT_TRUE(trace.looks.is_new("trace"));
  EXPECT_TRUE(trace.is_due());
  trace.look_in_vain(10ms);
  EXPECT_FALSE(trace.looks.is_new("trace"));
  trace.looks.forget("trace");
  EXPECT_TRUE(trace.looks.is_new("trace"));
}

// A server whose first requests come late: its plan does not wait for a pause that grew with every look.
TEST(Looks, CheapLooksFollowEachOtherWithinASecond) {
  GrowingTrace trace;
  for (int i = 0; i < 100; ++i) {
    trace.look_in_vain(40ms);
    ASSERT_LE(trace.time_until_due(), 600ms) << i;
  }
}

TEST(Looks, ADearLookAddsNoMoreThanItTookItself) {
  GrowingTrace trace;
  trace.look_in_vain(2s);
  EXPECT_LE(trace.time_until_due(), 2s);
  trace.look_in_vain(2s);
  EXPECT_LE(trace.time_until_due(), 2s);
}

TEST(Looks, WhatNeverRecursTakesLessAndLessOfAProcessor) {
  GrowingTrace trace;
  for (int i = 0; i < 50; ++i) {
    trace.look_in_vain(1s);
    ASSERT_LE(trace.time_until_due(), Looks::kLongestPause);
  }
  trace.look_in_vain(1s);
  EXPECT_GE(trace.time_until_due(), 10s);
}

TEST(Looks, WhatWasNotWrittenToIsNotLookedAt) {
  GrowingTrace trace;
  trace.look_in_vain(0s);
  const Looks::Written before = trace.written;
  trace.now += 1h;
  EXPECT_FALSE(trace.is_due());
  EXPECT_FALSE(trace.looks.has_grown("trace", before));
  EXPECT_TRUE(trace.looks.has_grown("trace", before + 1s)) << "even during the pause";
}

}  // namespace
}  // namespace memo::learn
