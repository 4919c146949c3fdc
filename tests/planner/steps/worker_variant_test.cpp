// Tests that what workers allocate becomes a variant of its own: of sites that recur, whatever the order; of threads without
// passes; however long; big enough for every worker, in whatever order it works; and nothing of what comes once, or outlives the passes that are worked for.
#include "planner/steps/worker_variant.h"
#include "planner/layout/find_variants.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

constexpr ThreadIndex kOwner = 1;
constexpr ThreadIndex kWorker = 2;

// Passes of one thread, 1000 ns each with 1000 between them, and what others allocate meanwhile.
class Recording {
 public:
  Recording() {
    trace_.names = {"?", "forward"};
    trace_.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  }
  void begin_pass() {
    now_ += 1000;
    trace_.passes.push_back({.number = trace_.passes.size() + 1,
                             .thread = kOwner,
                             .name = 1,
                             .complete = true,
                             .events = 2,
                             .begin_ns = now_,
                             .end_ns = now_ + 1000});
    trace_.passes.back().allocations.push_back(
        {.size = 64, .freed = true, .life = {0, 1}, .site = {.module = 0, .offset = 0x1}, .thread = kOwner});
  }
  std::size_t allocate(std::uint64_t site, Bytes size, ThreadIndex thread = kWorker) {
    trace_.outside.push_back(
        {.size = size, .site = {.module = 0, .offset = site}, .thread = thread, .begin_ns = now_ += 5});
    return trace_.outside.size() - 1;
  }
  void release(std::size_t index) {
    trace_.outside[index].freed = true;
    trace_.outside[index].end_ns = now_ += 5;
  }
  void end_pass() { now_ = trace_.passes.back().end_ns; }

  [[nodiscard]] std::optional<Variant> variant() {
    std::ranges::stable_sort(trace_.outside, {}, &Allocation::begin_ns);
    ModuleTable modules;
    const TraceView view(trace_, modules);
    return find_worker_variant({&view, 1});
  }
  [[nodiscard]] Trace& trace() { return trace_; }

 private:
  Trace trace_;
  std::uint64_t now_ = 0;
};

std::vector<std::uint64_t> sites_of(const Variant& variant) {
  std::vector<std::uint64_t> sites;
  for (const Demand& demand : variant.demands) sites.push_back(demand.site.offset);
  return sites;
}

// Pieces of two blocks each, the second of which lives within the first.
void work(Recording& recording, int pieces, Bytes size, ThreadIndex thread = kWorker) {
  for (int piece = 0; piece < pieces; ++piece) {
    const std::size_t outer = recording.allocate(0xa, size, thread);
    recording.release(recording.allocate(0xb, 100, thread));
    recording.release(outer);
  }
}

TEST(WorkerVariant, IsALongPassOfAnyWorkerWithTheLargestSizes) {
  Recording recording;
  for (const int pieces : {3, 1, 2, 1}) {
    recording.begin_pass();
    work(recording, pieces, 5000);
    work(recording, 1, 6000, kWorker + 1);
    recording.end_pass();
  }
  const std::optional<Variant> variant = recording.variant();
  ASSERT_TRUE(variant.has_value());
  EXPECT_EQ(variant->key, kWorkerPassKey);
  EXPECT_EQ(variant->runs, 8U);
  EXPECT_EQ(sites_of(*variant), (std::vector<std::uint64_t>{0xa, 0xb, 0xa, 0xb, 0xa, 0xb}));
  EXPECT_EQ(variant->demands[0].size, 6000);
  EXPECT_EQ(variant->demands[2].size, 5000);
  EXPECT_EQ(variant->demands[0].life, (Lifetime{0, 2}));
  EXPECT_EQ(variant->demands[1].life, (Lifetime{1, 2}));
}

// Each worker does the other's part in the next pass: no sequence is there twice.
TEST(WorkerVariant, HoldsSitesThatTheLongPassLacksAndAllThatLiveAtOnce) {
  Recording recording;
  for (int pass = 0; pass < 4; ++pass) {
    recording.begin_pass();
    work(recording, 4 + pass, 5000);
    std::vector<std::size_t> many;
    for (int block = 0; block < 3; ++block) many.push_back(recording.allocate(0xc, 200 + block, kWorker + 1));
    for (const std::size_t block : many) recording.release(block);
    recording.end_pass();
  }
  const std::optional<Variant> variant = recording.variant();
  ASSERT_TRUE(variant.has_value());
  const auto all = static_cast<Time>(variant->demands.size());
  ASSERT_EQ(std::ranges::count(sites_of(*variant), 0xcU), 3);
  for (const Demand& demand : std::span(variant->demands).last(3)) {
    EXPECT_EQ(demand.size, 202);
    EXPECT_EQ(demand.life.end, all);
  }
}

// In the trace the next pass begins later. The owner decides when, so that it may begin while such a block lives.
TEST(WorkerVariant, GivesAPlaceOfItsOwnToWhatIsLeftAtTheEndOfTheWork) {
  Recording recording;
  for (int pass = 0; pass < 4; ++pass) {
    recording.begin_pass();
    recording.release(recording.allocate(0xa, 100));
    const std::size_t left = recording.allocate(0xb, 100);
    recording.release(recording.allocate(0xc, 100));
    recording.release(recording.allocate(0xd, 100));
    recording.release(left);
    recording.end_pass();
  }
  const std::optional<Variant> variant = recording.variant();
  ASSERT_TRUE(variant.has_value());
  ASSERT_EQ(sites_of(*variant), (std::vector<std::uint64_t>{0xa, 0xb, 0xc, 0xd}));
  EXPECT_EQ(variant->demands[0].life, (Lifetime{0, 1}));
  EXPECT_EQ(variant->demands[1].life, (Lifetime{0, 4}));
  EXPECT_EQ(variant->demands[2].life, (Lifetime{2, 3}));
  EXPECT_EQ(variant->demands[3].life, (Lifetime{0, 4}));
}

TEST(WorkerVariant, IsNotMadeOfWhatComesOnceOrSeldom) {
  Recording recording;
  for (std::uint64_t pass = 0; pass < 100; ++pass) {
    recording.begin_pass();
    recording.release(recording.allocate(0x1000 + pass, 300));
    if (pass == 10 || pass == 20) recording.release(recording.allocate(0xd, 300));
    recording.end_pass();
  }
  EXPECT_FALSE(recording.variant().has_value());
}

TEST(WorkerVariant, IsNotMadeOfThreadsThatRunPasses) {
  Recording recording;
  for (int pass = 0; pass < 4; ++pass) {
    recording.begin_pass();
    work(recording, 2, 5000, kOwner);
    recording.end_pass();
  }
  EXPECT_FALSE(recording.variant().has_value());
}

TEST(WorkerVariant, IsNotMadeOfWhatIsAllocatedWhileNoPassRuns) {
  Recording recording;
  for (int pass = 0; pass < 4; ++pass) {
    recording.begin_pass();
    recording.end_pass();
    work(recording, 2, 5000);
  }
  EXPECT_FALSE(recording.variant().has_value());
}

// The queue's blocks live on, those beside them do not.
TEST(WorkerVariant, LeavesToTheHeapWhatOutlivesThePasses) {
  Recording recording;
  for (int pass = 0; pass < 4; ++pass) {
    recording.begin_pass();
    recording.allocate(0xe, 300);
    work(recording, 1, 5000);
    recording.end_pass();
  }
  const std::optional<Variant> variant = recording.variant();
  ASSERT_TRUE(variant.has_value());
  EXPECT_EQ(sites_of(*variant), (std::vector<std::uint64_t>{0xa, 0xb}));
}

// Blocks of 100 bytes are no large slots of a plan, so that their number does not matter. The last block is the one that counts.
TEST(WorkerVariant, HoldsAllOfALongWorkOfSmallBlocks) {
  Recording recording;
  for (int pass = 0; pass < 3; ++pass) {
    recording.begin_pass();
    for (std::size_t block = 0; block < kMaxLargePlaces / 4; ++block) {
      for (const std::uint64_t site : {1U, 2U, 3U, 4U, 5U})
        recording.trace().outside.push_back({.size = 100,
                                             .freed = true,
                                             .site = {.module = 0, .offset = site},
                                             .thread = kWorker,
                                             .begin_ns = recording.trace().passes.back().begin_ns + 2,
                                             .end_ns = recording.trace().passes.back().begin_ns + 3});
    }
    recording.release(recording.allocate(0xf, 1 << 20));
    recording.end_pass();
  }
  const std::optional<Variant> variant = recording.variant();
  ASSERT_TRUE(variant.has_value());
  ASSERT_GT(variant->demands.size(), kMaxLargePlaces);
  EXPECT_EQ(variant->demands.back().size, 1 << 20);
}

// A piece of work: blocks of the sites 0xa to 0xd, one after the other, the third of which is as large as asked for.
void piece(Recording& recording, Bytes size, ThreadIndex thread = kWorker) {
  for (const std::uint64_t site : {0xaU, 0xbU, 0xcU, 0xdU})
    recording.release(recording.allocate(site, site == 0xc ? size : 100, thread));
}

// The other worker does the pieces of the long work in another order, with a step more between two of them.
TEST(WorkerVariant, IsLargeEnoughForTheSameStepsInAnotherOrder) {
  Recording recording;
  for (int pass = 0; pass < 4; ++pass) {
    recording.begin_pass();
    for (const Bytes size : {5000, 9000, 700}) piece(recording, size);
    recording.end_pass();
    recording.begin_pass();
    piece(recording, 9000, kWorker + 1);
    recording.release(recording.allocate(0xe, 100, kWorker + 1));
    piece(recording, 5000, kWorker + 1);
    recording.end_pass();
  }
  const std::optional<Variant> variant = recording.variant();
  ASSERT_TRUE(variant.has_value());
  ASSERT_EQ(sites_of(*variant),
            (std::vector<std::uint64_t>{0xa, 0xb, 0xc, 0xd, 0xa, 0xb, 0xc, 0xd, 0xa, 0xb, 0xc, 0xd, 0xe}));
  EXPECT_EQ(variant->demands[2].size, 9000);
  EXPECT_EQ(variant->demands[6].size, 9000);
  EXPECT_EQ(variant->demands[10].size, 700);
  EXPECT_EQ(variant->demands[2].spread, 4000);  // the arena lends gaps to blocks of sizes that were seen
  EXPECT_EQ(variant->demands[10].spread, 0);
  EXPECT_EQ(variant->demands[2].life, (Lifetime{2, 3}));
}

// All blocks but one are of one site. What one worker has two of at once is looked for by its size.
TEST(WorkerVariant, TellsBlocksOfOneSiteApartByTheirSize) {
  Recording recording;
  for (int pass = 0; pass < 4; ++pass) {
    recording.begin_pass();
    for (int block = 0; block < 6; ++block) recording.release(recording.allocate(0xa, 100));
    for (int block = 0; block < 2; ++block) recording.release(recording.allocate(0xa, 5000));
    recording.release(recording.allocate(0xf, 100, kWorker + 1));
    std::vector<std::size_t> at_once;
    for (int block = 0; block < 2; ++block) at_once.push_back(recording.allocate(0xa, 5000, kWorker + 1));
    for (const std::size_t block : at_once) recording.release(block);
    recording.end_pass();
  }
  const std::optional<Variant> variant = recording.variant();
  ASSERT_TRUE(variant.has_value());
  ASSERT_EQ(variant->demands.size(), 10U);
  EXPECT_EQ(variant->demands[8].size, 5000);
  EXPECT_EQ(variant->demands[8].life, (Lifetime{8, 10}));
}

// However much a worker does, a plan can hold it.
TEST(WorkerVariant, HasNoMoreThanAPlanCanHold) {
  Recording recording;
  for (int pass = 0; pass < 3; ++pass) {
    recording.begin_pass();
    for (std::size_t block = 0; block < 2 * kMaxLargePlaces; ++block) {
      recording.trace().outside.push_back(
          {.size = 4 << 20,
           .freed = true,
           .site = {.module = 0, .offset = 0xf},
           .thread = kWorker,
           .begin_ns = recording.trace().passes.back().begin_ns + 2 + block / 32,
           .end_ns = recording.trace().passes.back().begin_ns + 400});
    }
    recording.end_pass();
  }
  Variants variants = find_variants(DistinctPasses({&recording.trace(), 1}));
  ASSERT_EQ(variants.variants.size(), 2U);
  EXPECT_EQ(variants.variants[1].demands.size(), kMaxLargePlaces);
}

}  // namespace
}  // namespace memo::planner
