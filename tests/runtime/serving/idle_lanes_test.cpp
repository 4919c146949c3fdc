// Memory that no pass needs goes back: that of a burst, of a process that has become quiet, and all of it when asked for.
// Failure: pages that stay, a running or needed lane that loses its own, or a live block that does.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/platform/clock.h"
#include "runtime/platform/pages.h"
#include "runtime/serving/idle_heap.h"
#include "runtime/serving/idle_lanes.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/slab/region.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::size_t kCellBytes = 1 << 15;
constexpr std::size_t kLargeBytes = 1 << 20;
constexpr std::uint64_t kCells = 8;
constexpr std::uint64_t kLarge = 1000;  // site of the first large slot

// Eight cells of several pages, and two large slots beside each other.
PlanDescription plan_of_pages() {
  PlanDescription plan = empty_plan();
  plan.cells.assign(kCells, kCellBytes);
  plan.variants.emplace_back();
  for (std::uint64_t cell = 0; cell < kCells; ++cell)
    plan.variants[0].slots.push_back(cell_slot(1 + cell, kCellBytes, cell));
  for (std::uint64_t large = 0; large < 2; ++large)
    plan.variants[0].slots.push_back(large_slot(kLarge + large, kLargeBytes, large * kLargeBytes));
  return plan;
}

std::uint64_t resident_in(const Lane& lane) {
  return resident_bytes(g_region.at(lane.first_granule), lane.bytes);
}

// Returns the memory that the lanes of the plan in force have.
std::uint64_t resident_slab() {
  std::uint64_t bytes = 0;
  for (const Lane& lane : g_lanes)
    if (lane.plan.load() == g_plan.load() && has_memory(lane)) bytes += resident_in(lane);
  return bytes;
}

std::vector<char*> allocate_all() {
  std::vector<char*> blocks;
  for (std::uint64_t cell = 0; cell < kCells; ++cell)
    blocks.push_back(static_cast<char*>(allocate(kCellBytes, 1 + cell)));
  for (std::uint64_t large = 0; large < 2; ++large)
    blocks.push_back(static_cast<char*>(allocate(kLargeBytes, kLarge + large)));
  return blocks;
}

std::size_t size_of(std::size_t block) {
  return block < kCells ? kCellBytes : kLargeBytes;
}

void fill_all(const std::vector<char*>& blocks) {
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    ASSERT_NE(blocks[block], nullptr) << block;
    std::memset(blocks[block], static_cast<int>(1 + block), size_of(block));
  }
}

void run_pass() {
  const Pass pass;
  const std::vector<char*> blocks = allocate_all();
  fill_all(blocks);
  for (char* block : blocks) EXPECT_TRUE(release(block));
}

// Threads with passes of their own, which do as they are told.
class Crowd {
 public:
  explicit Crowd(std::size_t threads) {
    while (helpers_.size() < threads) helpers_.push_back(std::make_unique<Helper>());
  }

  // Each begins its pass before the first ends.
  void run_at_once() {
    for (auto& helper : helpers_) helper->run([] { pass_begin(0, __builtin_frame_address(0)); });
    for (auto& helper : helpers_) {
      helper->run([] {
        const std::vector<char*> blocks = allocate_all();
        fill_all(blocks);
        for (char* block : blocks) EXPECT_TRUE(release(block));
        pass_end();
      });
    }
  }

  void run_on(std::size_t number) { helpers_[number % helpers_.size()]->run(run_pass); }

 private:
  std::vector<std::unique_ptr<Helper>> helpers_;
};

// Time passes as the tests say.
class IdleLanes : public ::testing::Test {
 protected:
  static constexpr std::int64_t kWait = 8 * kSecond;
  static constexpr int kParts = 8;

  void SetUp() override {
    set_idle_release(kWait);
    static_cast<void>(release_memory());
    serve(plan_of_pages());
  }
  void TearDown() override {
    set_idle_heap_hook(nullptr);
    set_idle_release(0);
    set_lanes(0);
  }

  // The next part of the wait begins, and this thread looks.
  static void look_later() { release_what_is_idle(now_ += kWait / kParts); }

  template <typename Between>
  static void let_time_pass(int parts, Between between) {
    for (int part = 0; part < parts; ++part) {
      between(part);
      look_later();
    }
  }
  static void let_time_pass(int parts) {
    let_time_pass(parts, [](int) {});
  }

 private:
  static inline std::int64_t now_ = 1000 * kSecond;
};

TEST_F(IdleLanes, OfABurstGoWhenFewerPassesRun) {
  run_pass();
  const std::uint64_t of_one = resident_slab();
  Crowd crowd(4);
  crowd.run_at_once();
  look_later();
  EXPECT_EQ(resident_slab(), 4 * of_one);
  let_time_pass(kParts, [](int) { run_pass(); });
  EXPECT_EQ(resident_slab(), 4 * of_one);  // still within the wait
  let_time_pass(1, [](int) { run_pass(); });
  EXPECT_EQ(resident_slab(), of_one);
}

// Each has a lane of its own, which it would use for ever.
TEST_F(IdleLanes, OfThreadsThatTakeTurnsGoButForAsManyAsRunAtOnce) {
  run_pass();
  const std::uint64_t of_one = resident_slab();
  Crowd crowd(4);
  crowd.run_at_once();
  let_time_pass(kParts + 2, [&](int part) { crowd.run_on(static_cast<std::size_t>(part)); });
  EXPECT_EQ(resident_slab(), of_one);
  for (std::size_t number = 0; number < 4; ++number) crowd.run_on(number);
  EXPECT_EQ(resident_slab(), of_one);  // and nobody went back to a cold one
  const std::uint64_t laneless = fallbacks(Reason::kNoLane);
  crowd.run_at_once();
  EXPECT_EQ(resident_slab(), 4 * of_one);
  EXPECT_EQ(fallbacks(Reason::kNoLane), laneless);
}

TEST_F(IdleLanes, AllGoWhereNoPassRuns) {
  run_pass();
  const std::uint64_t before = statistics().released_lane_bytes;
  const std::uint64_t held = resident_slab();
  let_time_pass(kParts + 2);
  EXPECT_EQ(resident_slab(), 0U);
  EXPECT_GE(statistics().released_lane_bytes - before, held);
  const std::uint64_t times = statistics().releases;
  let_time_pass(kParts + 2);
  EXPECT_EQ(statistics().releases, times);
}

TEST_F(IdleLanes, ARunningPassKeepsItsPages) {
  const Pass pass;
  const std::vector<char*> blocks = allocate_all();
  fill_all(blocks);
  for (char* block : blocks) EXPECT_TRUE(release(block));
  const std::uint64_t held = resident_slab();
  Helper other;
  other.run([] {
    let_time_pass(3 * kParts);
    static_cast<void>(release_memory());
  });
  EXPECT_EQ(resident_slab(), held);
}

// Returns false where the kernel says yes to populating and does nothing, as QEMU does for programs of another processor.
bool kernel_populates() {
  void* memory = map_pages(page_bytes());
  const bool populates = populate_pages(memory, page_bytes()) && resident_bytes(memory, page_bytes()) != 0;
  unmap_pages(memory, page_bytes());
  return populates;
}

TEST_F(IdleLanes, LanesThatWereAskedForByNumberGoOnlyWhenToldTo) {
  if (!kernel_populates()) GTEST_SKIP() << "pages come when they are touched here, whatever is asked for";
  set_lanes(2);
  serve(plan_of_pages());
  const std::uint64_t held = resident_slab();
  EXPECT_GT(held, 2 * 2 * kLargeBytes);
  let_time_pass(3 * kParts);
  EXPECT_EQ(resident_slab(), held);
  EXPECT_GE(release_memory(), held);
  EXPECT_EQ(resident_slab(), 0U);
}

// Block `kept` of a pass lives on. Its own pages stay, with what is in them, and no others.
void expect_kept(std::size_t kept) {
  std::vector<char*> blocks;
  {
    const Pass pass;
    blocks = allocate_all();
    fill_all(blocks);
    for (std::size_t block = 0; block < blocks.size(); ++block)
      EXPECT_TRUE(block == kept || release(blocks[block]));
  }
  static_cast<void>(release_memory());
  const std::size_t size = size_of(kept);
  EXPECT_LE(resident_slab(), size + 2 * page_bytes()) << kept;
  EXPECT_EQ(std::count(blocks[kept], blocks[kept] + size, static_cast<char>(1 + kept)),
            static_cast<std::ptrdiff_t>(size));
  EXPECT_EQ(usable_size(blocks[kept]), size);
  const Pass pass;
  for (char* block : allocate_all()) {
    EXPECT_NE(block, blocks[kept]);
    EXPECT_TRUE(block == nullptr || release(block));
  }
  EXPECT_TRUE(release(blocks[kept]));
}

TEST_F(IdleLanes, KeepThePagesOfLiveBlocksAndNoOthers) {
  for (const std::size_t kept : {std::size_t{0}, std::size_t{3}, kCells - 1, kCells, kCells + 1})
    expect_kept(kept);
}

// Returns true if the kernel was asked for huge pages at this address.
bool wants_huge_pages(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream mappings("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(mappings, line);) {
    std::uintptr_t begin, end;
    if (std::sscanf(line.c_str(), "%zx-%zx", &begin, &end) == 2) is_here = begin <= at && at < end;
    if (is_here && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return false;
}

// The kernel would make a huge page of one that a block keeps, and what went would be there again.
TEST_F(IdleLanes, WantHugePagesOnlyWhilePassesRun) {
  std::vector<char*> blocks;
  {
    const Pass pass;
    blocks = allocate_all();
    for (std::size_t block = 1; block < blocks.size(); ++block) EXPECT_TRUE(release(blocks[block]));
  }
  if (!wants_huge_pages(blocks[0])) GTEST_SKIP() << "the kernel has no huge pages, or does not say where";
  static_cast<void>(release_memory());
  EXPECT_FALSE(wants_huge_pages(blocks[0]));
  { const Pass pass; }
  EXPECT_TRUE(wants_huge_pages(blocks[0]));
  EXPECT_TRUE(release(blocks[0]));
}

// All is as it was for a pass that comes back: its blocks read as zeroes, and what it frees twice is known.
TEST_F(IdleLanes, ServeAgainAfterwards) {
  run_pass();
  EXPECT_GT(release_memory(), 2 * kLargeBytes);
  EXPECT_EQ(resident_slab(), 0U);
  const std::uint64_t served = statistics().served;
  const std::uint64_t doubled = statistics().double_free;
  {
    const Pass pass;
    const std::vector<char*> blocks = allocate_all();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      ASSERT_NE(blocks[block], nullptr);
      EXPECT_EQ(std::count(blocks[block], blocks[block] + size_of(block), 0),
                static_cast<std::ptrdiff_t>(size_of(block)));
      EXPECT_TRUE(release(blocks[block]));
      EXPECT_TRUE(release(blocks[block]));
    }
  }
  EXPECT_EQ(statistics().served - served, kCells + 2);
  EXPECT_EQ(statistics().double_free - doubled, kCells + 2);
}

constinit std::atomic<int> g_heap_gave_back{0};
std::uint64_t heap_gives_back() {
  ++g_heap_gave_back;
  return 4096;
}

TEST_F(IdleLanes, TheHeapGivesBackOnceWhenPassesEnd) {
  set_lanes(1);  // whose pages stay
  serve(plan_of_pages());
  run_pass();
  set_idle_heap_hook(heap_gives_back);
  g_heap_gave_back = 0;
  const std::uint64_t before = statistics().released_heap_bytes;
  let_time_pass(kParts + 1, [](int) { run_pass(); });
  EXPECT_EQ(g_heap_gave_back, 0);
  let_time_pass(3 * kParts);
  EXPECT_EQ(g_heap_gave_back, 1);
  EXPECT_GE(statistics().released_heap_bytes - before, 4096U);
}

// The heap decides by itself what it keeps while passes run.
TEST_F(IdleLanes, TheHeapIsLeftAloneWhileLanesGoAndPassesRun) {
  Crowd crowd(2);
  crowd.run_at_once();
  look_later();
  set_idle_heap_hook(heap_gives_back);
  g_heap_gave_back = 0;
  const std::uint64_t before = statistics().released_lane_bytes;
  let_time_pass(kParts + 1, [](int) { run_pass(); });
  EXPECT_GT(statistics().released_lane_bytes, before);
  EXPECT_EQ(g_heap_gave_back, 0);
}

}  // namespace
}  // namespace memo::runtime
