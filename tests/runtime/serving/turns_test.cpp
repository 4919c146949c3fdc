// Passes that take turns: never more at once than were asked for, in the order in which they came, and none stands still for ever.
#include "runtime/serving/turns.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/platform/clock.h"
#include "runtime/serving/statistics.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr int kThreads = 8;
constexpr std::uint64_t kSite = 4;
constexpr std::int64_t kMoment = 100'000;  // nanoseconds

// Keeps a processor busy, so that nobody's wait is in vain.
void work() {
  for (const std::int64_t begin = nanoseconds_now(); nanoseconds_now() - begin < kMoment;) {
  }
}

template <typename Condition>
void work_until(Condition condition) {
  while (!condition()) work();
}

bool take(Turns& turns) {
  return turns.take([] {});
}

std::uint64_t waits() {
  return statistics().turns_waited.load();
}
std::uint64_t waits_in_vain() {
  return statistics().turns_in_vain.load();
}

// What the turns of the process, which passes take, are set to while a test runs.
class TurnsOfPasses : public ::testing::Test {
 protected:
  void SetUp() override {
    PlanDescription plan = empty_plan();
    plan.variants.push_back({.slots = {large_slot(kSite, 4096, 0)}});
    serve(plan);
    g_turns.begin_anew();
  }
  void TearDown() override { g_turns.let_run(0); }
};

void begin_pass() {
  pass_begin(0, __builtin_frame_address(0));
}

TEST(Turns, WithoutALimitThereAreNone) {
  Turns turns;
  EXPECT_FALSE(take(turns));
}

TEST(Turns, NoMoreRunAtOnceThanAskedFor) {
  Turns turns;
  turns.let_run(3);
  const std::uint64_t in_vain = waits_in_vain();
  std::atomic<int> running{0}, most{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int pass = 0; pass < 200; ++pass) {
        ASSERT_TRUE(take(turns));
        const int now = ++running;
        for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
        }
        work();
        --running;
        turns.give();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(most, 0);
  EXPECT_LE(most, 3 + static_cast<int>(waits_in_vain() - in_vain));
}

// Lets passes of several threads ask for the only turn one after the other, and returns in which order they got it.
std::vector<int> order_of_turns() {
  Turns turns;
  turns.let_run(1);
  EXPECT_TRUE(take(turns));
  const std::uint64_t before = waits();
  std::vector<int> order;
  std::mutex writing;  // where one goes on in vain, others may have the turn
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      EXPECT_TRUE(take(turns));
      const std::lock_guard lock(writing);
      order.push_back(thread);
      turns.give();
    });
    work_until([&] { return waits() == before + 1 + static_cast<std::uint64_t>(thread); });
  }
  turns.give();
  for (std::thread& thread : threads) thread.join();
  return order;
}

// Tries anew where the machine gave this process no processor for so long that a pass went on out of turn.
TEST(Turns, ComeInTheOrderInWhichPassesAskedForThem) {
  for (int attempt = 0; attempt < 50; ++attempt) {
    const std::uint64_t in_vain = waits_in_vain();
    const std::vector<int> order = order_of_turns();
    if (waits_in_vain() != in_vain) continue;
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    return;
  }
  FAIL() << "no attempt without a wait in vain";
}

// As where the pass that runs waits for a lock that the waiting thread holds.
TEST(Turns, APassGoesOnWhereTheProcessorsAreIdle) {
  Turns turns;
  turns.let_run(1);
  ASSERT_TRUE(take(turns));
  const std::uint64_t in_vain = waits_in_vain();
  std::thread([&] {
    EXPECT_TRUE(take(turns));
    turns.give();
  }).join();
  EXPECT_EQ(waits_in_vain(), in_vain + 1);
  turns.give();
  EXPECT_TRUE(take(turns));
  EXPECT_EQ(waits_in_vain(), in_vain + 1) << "the turn that was taken in vain is still out";
}

TEST(Turns, NobodyWaitsOnceMuchWasLost) {
  Turns turns;
  turns.let_run(1);
  ASSERT_TRUE(take(turns));
  constexpr int kFarTooMany = 1000;
  int in_vain = 0;
  while (in_vain < kFarTooMany && take(turns)) {
    turns.give();
    ++in_vain;
  }
  EXPECT_GT(in_vain, 1);
  EXPECT_LT(in_vain, kFarTooMany);
}

TEST(Turns, OfTheProcessThatWasCopiedAreNotThoseOfTheCopy) {
  Turns turns;
  turns.let_run(2);
  ASSERT_TRUE(take(turns));
  ASSERT_TRUE(take(turns));
  turns.begin_anew();
  turns.take_along();
  const std::uint64_t before = waits();
  EXPECT_TRUE(take(turns));
  EXPECT_EQ(waits(), before);
  EXPECT_TRUE(take(turns));
  EXPECT_EQ(waits(), before + 1) << "of the copy's two turns both are taken";
}

TEST_F(TurnsOfPasses, NestedPassesHaveOneAndAnAbandonedPassGivesItBack) {
  g_turns.let_run(1);
  const std::uint64_t before = waits();
  begin_pass();
  pass_begin(0, static_cast<const char*>(__builtin_frame_address(0)) - 4096);
  pass_end();
  EXPECT_TRUE(t_self.has_turn);
  pass_abandon();
  EXPECT_FALSE(t_self.has_turn);
  begin_pass();
  pass_end();
  EXPECT_EQ(waits(), before);
}

TEST_F(TurnsOfPasses, APassThatNobodySeesEndTakesNone) {
  g_turns.let_run(1);
  pass_open(0);
  EXPECT_FALSE(t_self.has_turn);
  std::thread([] {
    begin_pass();
    EXPECT_TRUE(t_self.has_turn);
    pass_end();
  }).join();
  pass_abandon();
}

TEST_F(TurnsOfPasses, TheTurnOfAThreadThatEndedComesBack) {
  g_turns.let_run(1);
  std::thread(begin_pass).join();
  const std::uint64_t before = waits(), in_vain = waits_in_vain();
  begin_pass();
  pass_end();
  EXPECT_EQ(waits(), before + 1);
  EXPECT_EQ(waits_in_vain(), in_vain);
  begin_pass();
  pass_end();
  EXPECT_EQ(waits(), before + 1);
}

}  // namespace
}  // namespace memo::runtime
