// Proves which idle pages of an arena stay, on a simulated clock: what comes and goes with the program's work stays however long that
// goes on, what lies idle throughout a window goes, once, and nothing else does.
#include "preload/heap/idle_pages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace memo::guest::heap {
namespace {

constexpr std::uint64_t kWindow = 8000;
constexpr std::uint64_t kPart = kWindow / IdlePages::kParts;
constexpr std::uint64_t kStart = 1'000'000'000;

// An arena whose pages are given back as the policy says.
struct Arena {
  IdlePages policy;
  std::uint64_t now = kStart;
  std::uint64_t idle = 0;
  std::uint64_t given_back = 0;

  void look_after(std::uint64_t time) {
    now += time;
    const std::uint64_t kept = policy.keep(now, idle, kWindow);
    EXPECT_LE(kept, idle);
    given_back += idle - kept;
    idle = kept;
  }
};

TEST(IdlePages, StayForAWindowAndThenGoAtOnce) {
  Arena arena{.idle = 1000};
  for (std::uint64_t time = 0; time < kWindow - kPart; time += 10) arena.look_after(10);
  EXPECT_EQ(arena.given_back, 0U);
  for (std::uint64_t time = 0; time < 2 * kPart + IdlePages::kParts; time += 10) arena.look_after(10);
  EXPECT_EQ(arena.idle, 0U);
}

TEST(IdlePages, StayWhileTheProgramWantsThemAgainAndAgain) {
  Arena arena;
  for (std::uint64_t time = 0; time < 50 * kWindow; time += 10) {
    arena.idle = time / 10 % 3 == 0 ? 0 : 5000;
    arena.look_after(10);
  }
  EXPECT_EQ(arena.given_back, 0U);
}

TEST(IdlePages, BeyondTheMostThatTheProgramWantsGoOnce) {
  Arena arena;
  std::uint64_t wanted = 0;  // pages that the program holds of its 5,000
  std::uint64_t all = 5000;
  for (std::uint64_t time = 0; time < 20 * kWindow; time += 10) {
    wanted = time / 10 % 2 == 0 ? 100 : 3000;
    arena.idle = all - wanted;
    arena.look_after(10);
    all = arena.idle + wanted;
  }
  EXPECT_EQ(arena.given_back, 2000U);
}

TEST(IdlePages, OfAProgramThatSleptGoWhenItWakes) {
  Arena arena{.idle = 300};
  arena.look_after(0);
  arena.look_after(100 * kWindow);
  EXPECT_EQ(arena.idle, 0U);
}

// A page is given back only if it lay idle at each look for nearly a window.
RC_GTEST_PROP(IdlePages, GoOnlyWhereTheyLayIdleForSevenParts, ()) {
  const auto looks = *rc::gen::container<std::vector<std::pair<std::uint64_t, std::uint64_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint64_t>(0, kPart), rc::gen::inRange<std::uint64_t>(0, 1000)));
  Arena arena;
  struct Seen {
    std::uint64_t at, idle;
  };
  std::vector<Seen> seen;
  for (const auto& [time, change] : looks) {
    arena.idle = change;
    const std::uint64_t before = arena.idle;
    arena.look_after(time);
    seen.push_back({arena.now, before});
    const std::uint64_t gone = before - arena.idle;
    if (gone == 0) continue;
    RC_ASSERT(arena.now - kStart >= kWindow - 2 * kPart);
    for (const Seen& one : seen)
      if (one.at + kWindow - 2 * kPart >= arena.now) RC_ASSERT(one.idle >= gone);
  }
}

}  // namespace
}  // namespace memo::guest::heap
