// What a thread's last pass took, and the histogram over all passes: the figures are those that the pass ended with, and where
// nobody saw its blocks they say so. Failure: a figure of another pass or of a worker, one that is made up, a pass that no bucket has.
#include "runtime/pass/last_pass.h"

#include <cstdint>
#include <thread>

#include "runtime/formats/memory_buckets.h"
#include "runtime/pass/workers.h"
#include "runtime/platform/ticks.h"
#include "runtime/serving/pass_memory.h"
#include "runtime/slab/skipping.h"
#include "runtime/worth/worth.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kHeight = 64 + 8192;  // of the plan's slab

PlanDescription small_plan() {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.pass_key = 5, .slots = {cell_slot(1, 40, 0), large_slot(2, 8192, 0)}}};
  return plan;
}

// A pass that is served two blocks, and takes one of `beside` bytes from the heap.
void run(std::size_t beside) {
  const Pass pass(5);
  void* blocks[] = {allocate(40, 1), allocate(8000, 2)};
  EXPECT_EQ(allocate(beside, 99), nullptr);
  for (void* block : blocks) EXPECT_TRUE(release(block));
}

LastPass last() {
  LastPass pass{};
  EXPECT_TRUE(look_at_last_pass(&pass));
  return pass;
}

bool is_known() {
  LastPass pass{};
  return look_at_last_pass(&pass);
}

TEST(LastPass, IsNoneBeforeAPassHasEndedAndInsideOne) {
  serve(small_plan());
  std::thread([] {
    EXPECT_FALSE(is_known());
    run(100);
    EXPECT_TRUE(is_known());
    const Pass pass(5);
    EXPECT_FALSE(is_known());
  }).join();
}

TEST(LastPass, TookWhatItWasServedAndWhatWentToTheHeap) {
  serve(small_plan());
  run(700);
  const LastPass pass = last();
  EXPECT_EQ(pass.served_blocks, 2U);
  EXPECT_EQ(pass.served_bytes, 8040U);
  EXPECT_EQ(pass.heap_blocks, 1U);
  EXPECT_EQ(pass.heap_bytes, 700U);
  EXPECT_EQ(pass.at_most_bytes, kHeight + 700);
  EXPECT_TRUE(pass.is_counted);
  run(900);
  EXPECT_EQ(last().heap_bytes, 900U) << "of the pass before";
}

TEST(LastPass, IsTheThreadsOwn) {
  serve(small_plan());
  run(700);
  std::thread([] { run(900); }).join();
  EXPECT_EQ(last().heap_bytes, 700U);
}

TEST(LastPass, TookAllFromTheHeapWithoutALane) {
  serve(small_plan());
  {
    const Pass pass(6);  // the plan has no such key
    EXPECT_EQ(allocate(500, 1), nullptr);
  }
  const LastPass pass = last();
  EXPECT_EQ(pass.served_blocks + pass.served_bytes, 0U);
  EXPECT_EQ(pass.heap_blocks, 1U);
  EXPECT_EQ(pass.at_most_bytes, 500U);
}

TEST(LastPass, IsNotKnownAfterThatOfAWorker) {
  PlanDescription plan = small_plan();
  plan.variants.push_back({.pass_key = kWorkerPassKey, .slots = {cell_slot(7, 40, 0)}});
  serve(plan);
  run(100);
  ASSERT_TRUE(is_known());
  t_self.is_worker = true;
  note_last_pass(t_self, 64);
  t_self.is_worker = false;
  EXPECT_FALSE(is_known());
}

TEST(LastPass, SaysWhereNobodySawItsBlocks) {
  constexpr std::uint64_t kKey = 77;
  serve(small_plan());
  run(100);
  passing_by(kind_of(kKey)).note(12, 3456);
  let_be_skipped(kKey, Reason::kGaveUp, std::uint64_t{1} << 50);
  ASSERT_TRUE(skip_pass(kKey, 1000, &kKey));
  ASSERT_TRUE(end_skipped_pass());
  const LastPass pass = last();
  EXPECT_FALSE(pass.is_counted);
  EXPECT_EQ(pass.heap_blocks, 12U);
  EXPECT_EQ(pass.heap_bytes, 3456U);
  EXPECT_EQ(pass.served_blocks, 0U) << "of the pass before";
  skip_no_passes();
}

TEST(PassMemory, CountsEachPassOnALane) {
  serve(small_plan());
  const Statistics& counters = statistics();
  const std::uint32_t bucket = memory_bucket_of(kHeight + 700);
  const std::uint64_t before = counters.pass_memory[bucket];
  const std::uint64_t sum = counters.pass_memory_bytes;
  run(700);
  run(700);
  EXPECT_EQ(counters.pass_memory[bucket] - before, 2U);
  EXPECT_EQ(counters.pass_memory_bytes - sum, 2 * (kHeight + 700));
  EXPECT_GE(most_of_a_pass(), kHeight + 700);
  {
    const Pass pass(6);  // the plan has no such key: how much it holds at once is not known
    EXPECT_EQ(allocate(700, 1), nullptr);
  }
  EXPECT_EQ(counters.pass_memory_bytes - sum, 2 * (kHeight + 700));
}

TEST(PassMemory, KeepsTheMost) {
  forget_most_of_a_pass();
  for (const std::uint64_t bytes : {3U, 70'000U, 5U}) count_pass_memory(bytes);
  EXPECT_EQ(most_of_a_pass(), 70'000U);
}

TEST(PassMemory, HasABucketForEachSize) {
  EXPECT_EQ(memory_bucket_of(0), 0U);
  for (std::uint32_t bucket = 0; bucket + 1 < kMemoryBuckets; ++bucket) {
    EXPECT_EQ(memory_bucket_of(memory_bound_of(bucket)), bucket);
    EXPECT_EQ(memory_bucket_of(memory_bound_of(bucket) + 1), bucket + 1);
  }
  EXPECT_EQ(memory_bound_of(kMemoryBuckets - 2), std::uint64_t{64} << 30);
  EXPECT_EQ(memory_bucket_of(~std::uint64_t{0}), kMemoryBuckets - 1);
}

}  // namespace
}  // namespace memo::runtime
