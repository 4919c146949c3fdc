// Growth as the program sees it: a plan that becomes larger keeps the pages of its lanes and the blocks that live in them,
// also while other threads run passes.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "runtime/platform/pages.h"
#include "runtime/serving/figures.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/slab/region.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/serving/texts.h"

namespace memo::runtime {
namespace {

using namespace testing;

bool kernel_moves_pages() {
  void* memory = map_pages(2 * page_bytes());
  const Moved how = move_pages(memory, static_cast<char*>(memory) + page_bytes(), page_bytes());
  unmap_pages(memory, 2 * page_bytes());
  return how == Moved::kAll;
}

std::uint64_t slab_bytes() {
  LiveGauges figures;
  look_at_serving(&figures);
  return figures.slab_bytes;
}

std::uint64_t lanes_with_memory() {
  LiveGauges figures;
  look_at_serving(&figures);
  return figures.lanes;
}

// The address of the lane, from the cell at its beginning, and what its first byte held before.
struct Seen {
  char* lane;
  char before;
};
Seen look_at_lane() {
  const Pass pass;
  auto* cell = static_cast<char*>(allocate(40, kCell));
  const Seen seen{cell, *cell};
  *cell = 'x';
  EXPECT_TRUE(release(cell));
  return seen;
}

TEST(GrownLane, LiesWhereItLayWithThePagesThatWereTouched) {
  serve(plan_of_texts());
  const Seen small = look_at_lane();
  EXPECT_EQ(run_pass(3 * kBytes / 2), 1);
  const std::uint64_t grown = statistics().plans_grown;
  const Seen large = look_at_lane();
  EXPECT_EQ(statistics().plans_grown - grown, 1U);
  EXPECT_EQ(large.lane, small.lane);
  EXPECT_EQ(large.before, 'a');  // a page that came anew would read as zero
  EXPECT_EQ(run_pass(3 * kBytes / 2), 3);
  EXPECT_EQ(lanes_with_memory(), 1U);
}

TEST(GrownLane, LeavesAloneThePagesOfABlockThatLives) {
  serve(plan_of_texts());
  Shadow shadow;
  char* kept = nullptr;
  {
    const Pass pass;
    EXPECT_TRUE(release(allocate(40, kCell)));
    kept = static_cast<char*>(allocate(kBytes, kFirst));
    ASSERT_NE(kept, nullptr);
    std::memset(kept, 'k', kBytes);
    shadow.born(kept, kBytes);
  }
  run_pass(3 * kBytes / 2, 'p', shadow);
  EXPECT_EQ(run_pass(3 * kBytes / 2, 'p', shadow), 3);
  EXPECT_EQ(std::count(kept, kept + kBytes, 'k'), static_cast<std::ptrdiff_t>(kBytes));
  const std::uint64_t before = slab_bytes();
  shadow.dies(kept);
  EXPECT_TRUE(release(kept));
  // The thread has another lane by now, so the old one gives its pages back.
  EXPECT_TRUE(comes_true([&] {
    EXPECT_EQ(run_pass(kBytes), 3);
    return slab_bytes() < before;
  }));
}

// Whole chunks without a live block go along with the plan; the block stays where it is, with what was written.
TEST(GrownLane, TakesThePagesAroundABlockThatLivesAlong) {
  constexpr std::size_t kMany = 4 * kChunkBytes;
  PlanDescription plan = plan_of_texts();
  plan.variants[0].slots[1].size = plan.variants[0].slots[2].size = plan.variants[0].slots[2].place = kMany;
  serve(plan);
  EXPECT_EQ(run_pass(kMany), 3);
  char* kept = nullptr;
  {
    const Pass pass;
    EXPECT_TRUE(release(allocate(40, kCell)));
    kept = static_cast<char*>(allocate(kMany, kFirst));
    ASSERT_NE(kept, nullptr);
    std::memset(kept, 'k', kMany);
    char* beside = static_cast<char*>(allocate(kMany, kSecond));
    ASSERT_NE(beside, nullptr);
    std::memset(beside, 'b', kMany);
    EXPECT_TRUE(release(beside));
  }
  EXPECT_EQ(run_pass(kMany + kMany / 4), 1);
  Shadow shadow;
  shadow.born(kept, kMany);
  {
    const Pass pass;
    EXPECT_TRUE(release(allocate(40, kCell)));
    char* first = static_cast<char*>(allocate(kMany + kMany / 4, kFirst));
    ASSERT_NE(first, nullptr);
    shadow.born(first, kMany + kMany / 4);
    char* second = static_cast<char*>(allocate(kMany + kMany / 4, kSecond));
    ASSERT_NE(second, nullptr);
    shadow.born(second, kMany + kMany / 4);
    EXPECT_EQ(std::count(first, first + kMany + kMany / 4, 'k'), 0);
    if (kernel_moves_pages()) {
      EXPECT_GE(std::count(second, second + kMany, 'b'), static_cast<std::ptrdiff_t>(kChunkBytes));
    }
    std::memset(first, 'n', kMany + kMany / 4);
    std::memset(second, 'n', kMany + kMany / 4);
    EXPECT_TRUE(release(first));
    EXPECT_TRUE(release(second));
  }
  EXPECT_EQ(std::count(kept, kept + kMany, 'k'), static_cast<std::ptrdiff_t>(kMany));
  EXPECT_TRUE(release(kept));
}

// A file may say that a block is freed before it is made. Such a slot lies above the cells all the same.
TEST(GrownLane, HasNoLargeSlotAmongTheCells) {
  PlanDescription plan = plan_of_texts();
  for (PlanSlotDescription& slot : plan.variants[0].slots) slot.freed_at = 0;
  serve(plan);
  Shadow shadow;
  EXPECT_EQ(run_pass(3 * kBytes / 2, 'a', shadow), 1);
  run_pass(3 * kBytes / 2, 'a', shadow);
  run_pass(kBytes, 'a', shadow);
}

// Ever larger, until what was reserved above the lane no longer holds it: then the plan goes to another place.
TEST(GrownLane, GoesElsewhereWhereThereIsNoRoomAboveIt) {
  PlanDescription plan = plan_of_texts();
  for (PlanSlotDescription& slot : plan.variants[0].slots)
    if (slot.zone == PlanZone::kLarge) slot.formula = planner::line_from(slot.size, kBytes);
  serve(plan);
  Shadow shadow;
  for (std::size_t factor = 2; factor <= 1024; factor *= 2) {
    EXPECT_EQ(run_pass(factor * kBytes, 'a', shadow), 1) << factor;
    EXPECT_EQ(run_pass(factor * kBytes, 'b', shadow), 3) << factor;
  }
  LiveGauges figures;
  look_at_serving(&figures);
  EXPECT_EQ(figures.lanes, 1U);
  EXPECT_EQ(figures.slab_bytes, 64 + 2 * 1024 * kBytes);
}

bool grows_for_a_larger_text() {
  const std::uint64_t grown = statistics().plans_grown;
  const std::size_t larger = 3 * kBytes / 2;
  run_pass(larger);
  return comes_true([&] { return run_pass(larger) == 3; }) && statistics().plans_grown == grown + 1;
}

TEST(GrowingBeside, EndsWithTheLargerPlan) {
  serve(plan_of_texts());
  have_had_a_thread();
  EXPECT_TRUE(grows_for_a_larger_text());
}

// A pass that begins while its lane is being handed over takes another one. It must not keep it beside the first.
TEST(GrowingBeside, KeepsOneLaneForOneThread) {
  have_had_a_thread();
  for (int round = 0; round < 300; ++round) {
    serve(plan_of_texts());
    ASSERT_TRUE(grows_for_a_larger_text());
    ASSERT_TRUE(comes_true([] { return run_pass(kBytes) == 3 && lanes_with_memory() == 1; })) << round;
  }
}

// Passes of several threads under one shadow, while the plan becomes larger again and again.
TEST(GrowingBeside, HandsOutNoByteTwice) {
  constexpr int kThreads = 4;
  constexpr int kPlans = 4;
  have_had_a_thread();
  const std::uint64_t grown = statistics().plans_grown;
  for (int round = 0; round < kPlans; ++round) {
    serve(plan_of_texts());
    Shadow shadow;
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        std::mt19937 dice(static_cast<unsigned>(thread));
        for (int pass = 0; pass < 300 || !over; ++pass)
          run_pass(kBytes / 2 + dice() % (kBytes * (1 + static_cast<unsigned>(pass) / 100 % 2)),
                   static_cast<char>('a' + thread), shadow);
      });
    }
    EXPECT_TRUE(comes_true([&] { return statistics().plans_grown > grown + static_cast<unsigned>(round); }));
    over = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(shadow.live(), 0U);
  }
}

}  // namespace
}  // namespace memo::runtime
