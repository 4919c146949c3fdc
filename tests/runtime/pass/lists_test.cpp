// Lists seen from the program: what each iteration of a loop adds to a list gets the next cell of its slot; the heap serves
// what a longer run adds, and nothing else ever takes a cell of a list.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kOutput = 2;  // the site of what the loop gathers
constexpr std::uint64_t kState = 3;
constexpr std::size_t kBytes = 100;

PlanSlotDescription list_slot(std::uint64_t site, std::uint64_t size, std::uint64_t first,
                              std::uint32_t cells) {
  return {.site = {0, site}, .size = size, .zone = PlanZone::kList, .place = first, .cells = cells};
}

// A loop of one iteration at a time, which gathers an output in a list of so many cells and has a state besides.
PlanDescription recurrent(std::uint32_t cells) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64};
  plan.cells.insert(plan.cells.end(), cells, 128);
  plan.variants = {
      {.slots = {cell_slot(1, 40, 0), list_slot(kOutput, kBytes, 2, cells), cell_slot(kState, 40, 1)},
       .loops = {{.first_slot = 1, .end_slot = 3, .slots = 2}}}};
  return plan;
}

// What a pass of so many iterations gathered; null where the heap has to serve.
std::vector<void*> gather(int iterations, std::size_t bytes = kBytes) {
  std::vector<void*> outputs;
  void* first = allocate(40, 1);
  EXPECT_NE(first, nullptr);
  for (int i = 0; i < iterations; ++i) {
    outputs.push_back(allocate(bytes, kOutput));
    void* state = allocate(40, kState);
    EXPECT_NE(state, nullptr) << i;
    EXPECT_TRUE(state == nullptr || release(state));
  }
  EXPECT_TRUE(first == nullptr || release(first));
  return outputs;
}

void let_go(const std::vector<void*>& blocks) {
  for (void* block : blocks) EXPECT_TRUE(block == nullptr || release(block));
}

std::size_t count_served(const std::vector<void*>& blocks) {
  return blocks.size() - static_cast<std::size_t>(std::count(blocks.begin(), blocks.end(), nullptr));
}

TEST(Lists, HaveACellForEachIteration) {
  serve(recurrent(20));
  for (const int iterations : {20, 7, 20, 1}) {
    const Pass running;
    const std::vector<void*> outputs = gather(iterations);
    EXPECT_EQ(count_served(outputs), outputs.size());
    EXPECT_EQ(std::set<void*>(outputs.begin(), outputs.end()).size(), outputs.size());
    for (void* output : outputs) EXPECT_EQ(usable_size(output), 128U);
    let_go(outputs);
  }
}

// Passes that are shorter than the longest touch no more of the slab than they need.
TEST(Lists, BeginWithTheSameCellInEachPass) {
  serve(recurrent(20));
  std::vector<void*> before;
  for (int pass = 0; pass < 5; ++pass) {
    const Pass running;
    const std::vector<void*> outputs = gather(6);
    if (pass > 0) {
      EXPECT_EQ(outputs, before);
    }
    before = outputs;
    let_go(outputs);
  }
}

// Runs a pass of so many iterations. Returns how many of its outputs have a place.
std::size_t gathered_in_a_pass(int iterations, std::size_t bytes = kBytes) {
  const Pass running;
  const std::vector<void*> outputs = gather(iterations, bytes);
  const std::size_t served = count_served(outputs);
  let_go(outputs);
  return served;
}

TEST(Lists, LeaveToTheHeapWhatTheFirstLongerRunAdds) {
  serve(recurrent(5));
  const std::uint64_t unplanned = fallbacks(Reason::kUnplanned);
  {
    const Pass running;
    const std::vector<void*> outputs = gather(30);
    for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i] != nullptr, i < 5) << i;
    let_go(outputs);
  }
  EXPECT_EQ(fallbacks(Reason::kUnplanned) - unplanned, 25U);
}

// Each pass that finds its list used up makes it twice as long, until a pass has room.
TEST(Lists, BecomeAsLongAsRunsAre) {
  serve(recurrent(5));
  for (const std::size_t served : {5U, 10U, 20U, 30U, 30U}) EXPECT_EQ(gathered_in_a_pass(30), served);
  EXPECT_EQ(gathered_in_a_pass(40), 40U);
}

// All lists may take 1 MiB where nothing else in the plan takes more.
TEST(Lists, BecomeNoLongerThanTheyMay) {
  constexpr std::size_t kLarge = 64 << 10;
  PlanDescription plan = recurrent(4);
  plan.variants[0].slots[1].size = kLarge;
  std::fill(plan.cells.begin() + 2, plan.cells.end(), kLarge);
  serve(plan);
  for (const std::size_t served : {4U, 8U, 16U, 16U, 16U}) EXPECT_EQ(gathered_in_a_pass(30, kLarge), served);
}

// A window of the last few outputs needs no more cells than it has.
TEST(Lists, GoRoundWhereBlocksAreFreedMeanwhile) {
  serve(recurrent(5));
  std::vector<void*> window;
  const Pass running;
  EXPECT_TRUE(release(allocate(40, 1)));
  for (int i = 0; i < 50; ++i) {
    window.push_back(allocate(kBytes, kOutput));
    ASSERT_NE(window.back(), nullptr) << i;
    EXPECT_TRUE(release(allocate(40, kState)));
    if (window.size() < 5) continue;
    EXPECT_TRUE(release(window.front()));
    window.erase(window.begin());
  }
  let_go(window);
}

// The caller kept one of the outputs: the next passes use the cells around it.
TEST(Lists, GoOnBehindABlockThatOutlivedItsPass) {
  serve(recurrent(20));
  void* kept = nullptr;
  {
    const Pass running;
    std::vector<void*> outputs = gather(8);
    kept = outputs[3];
    outputs.erase(outputs.begin() + 3);
    let_go(outputs);
  }
  for (int pass = 0; pass < 3; ++pass) {
    const Pass running;
    const std::vector<void*> outputs = gather(10);
    EXPECT_EQ(count_served(outputs), outputs.size());
    EXPECT_EQ(std::count(outputs.begin(), outputs.end(), kept), 0);
    let_go(outputs);
  }
  EXPECT_TRUE(release(kept));
}

// Strays take any idle cell, but none of a list: what they hold would be in the way of the next pass.
// Blocks that the program keeps hold the first cells in all later passes, which need few others.
TEST(Lists, BecomeNoLongerWhereEarlierPassesHoldTheirCells) {
  constexpr int kKept = 40;
  serve(recurrent(60));
  const std::uint64_t grown = statistics().plans_grown;
  std::vector<void*> kept;
  {
    const Pass running;
    kept = gather(kKept);
  }
  EXPECT_EQ(count_served(kept), kept.size());
  for (int pass = 0; pass < 5; ++pass) EXPECT_GE(gathered_in_a_pass(10), 8U);
  EXPECT_EQ(statistics().plans_grown, grown);
  let_go(kept);
  EXPECT_EQ(gathered_in_a_pass(60), 60U);
}

TEST(Lists, LendNoCells) {
  serve(recurrent(20));
  const Pass running;
  std::vector<void*> strays;
  for (int i = 0; i < 10; ++i) strays.push_back(allocate(40, kState));
  EXPECT_LE(count_served(strays), 2U);
  let_go(strays);
}

// Two variants begin alike, each with a list of its own, and a pass finds its own by what it asks for next.
TEST(Lists, BelongToOneVariant) {
  PlanDescription plan = recurrent(4);
  plan.cells.insert(plan.cells.end(), 4, 256);
  plan.variants.push_back({.slots = {cell_slot(1, 40, 0), list_slot(7, 200, 6, 4), cell_slot(8, 40, 1)},
                           .loops = {{.first_slot = 1, .end_slot = 3, .slots = 2}}});
  serve(plan);
  for (int pass = 0; pass < 4; ++pass) {
    const bool second = pass % 2 == 1;
    const Pass running;
    void* first = allocate(40, 1);
    std::vector<void*> outputs;
    for (int i = 0; i < 4; ++i) {
      outputs.push_back(second ? allocate(200, 7) : allocate(kBytes, kOutput));
      EXPECT_TRUE(release(allocate(40, second ? 8 : kState)));
    }
    EXPECT_EQ(count_served(outputs), outputs.size()) << pass;
    for (void* output : outputs) EXPECT_EQ(usable_size(output), second ? 256U : 128U);
    let_go(outputs);
    EXPECT_TRUE(release(first));
  }
}

// A loop that copies three caches one after the other, each a row larger in every iteration: four blocks live at once.
constexpr std::size_t kCaches = 3;
constexpr std::size_t kRow = 64;
constexpr std::uint64_t kFirstCache = 2;

PlanDescription caching(std::size_t rows) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.cells.insert(plan.cells.end(), kCaches + 1, rows * kRow);
  std::vector<PlanSlotDescription> slots = {cell_slot(1, 40, 0)};
  for (std::size_t cache = 0; cache < kCaches; ++cache) {
    slots.push_back(list_slot(kFirstCache + cache, rows * kRow, 1, kCaches + 1));
    slots.back().zone = PlanZone::kPool;
    slots.back().formula = planner::line_from(rows * kRow, kRow);
  }
  plan.variants = {{.slots = slots, .loops = {{.first_slot = 1, .end_slot = 1 + kCaches, .slots = kCaches}}}};
  return plan;
}

struct Copied {
  std::size_t served = 0;
  std::set<void*> cells;  // of the caches
};

// Runs a pass of so many iterations, each of which gathers something at a site first, if one is given.
Copied run_copying(std::size_t iterations, std::uint64_t gathering = 0) {
  const Pass running;
  Copied result;
  void* first = allocate(40, 1);
  result.served = first != nullptr ? 1 : 0;
  std::vector<void*> caches(kCaches);
  std::vector<void*> gathered;
  for (std::size_t rows = 1; rows <= iterations; ++rows) {
    if (gathering != 0) gathered.push_back(allocate(kBytes, gathering));
    for (std::size_t cache = 0; cache < kCaches; ++cache) {
      void* copy = allocate(rows * kRow, kFirstCache + cache);
      result.served += copy != nullptr ? 1U : 0U;
      if (copy != nullptr) {
        EXPECT_EQ(std::count(caches.begin(), caches.end(), copy), 0);
        result.cells.insert(copy);
      }
      EXPECT_TRUE(caches[cache] == nullptr || release(caches[cache]));
      caches[cache] = copy;
    }
  }
  let_go(caches);
  result.served += count_served(gathered);
  let_go(gathered);
  EXPECT_TRUE(first == nullptr || release(first));
  return result;
}

// Returns how many blocks of such a pass the slab served.
std::size_t copy_caches(std::size_t iterations, std::uint64_t gathering = 0) {
  return run_copying(iterations, gathering).served;
}

TEST(Lists, AreSharedByCachesThatGrowAlike) {
  serve(caching(20));
  EXPECT_EQ(run_copying(20).cells.size(), kCaches + 1);
  for (const std::size_t iterations : {20U, 3U, 20U})
    EXPECT_EQ(copy_caches(iterations), 1 + kCaches * iterations);
}

// A pass that generates more says how much larger the cells of all caches have to be, and the next one has them.
TEST(Lists, BecomeLargerWithAllCachesThatShareThem) {
  serve(caching(20));
  EXPECT_EQ(copy_caches(30), 1 + kCaches * 20);
  EXPECT_EQ(copy_caches(30), 1 + kCaches * 30);
  EXPECT_EQ(copy_caches(20), 1 + kCaches * 20);
}

// The cells behind a list move when it becomes longer. Those that caches share stay as many, and all become as large as the longer
// run wants.
TEST(Lists, BecomeLongerBesideOthers) {
  constexpr std::uint64_t kGathering = 9;
  PlanDescription plan = caching(20);
  PlanVariantDescription& variant = plan.variants[0];
  for (std::size_t slot = 1; slot < variant.slots.size(); ++slot) variant.slots[slot].place += 20;
  variant.slots.insert(variant.slots.begin() + 1, list_slot(kGathering, kBytes, 1, 20));
  plan.cells.insert(plan.cells.begin() + 1, 20, 128);
  variant.loops[0].slots += 1;
  variant.loops[0].end_slot += 1;
  serve(plan);
  constexpr std::size_t kEach = kCaches + 1;
  EXPECT_EQ(copy_caches(20, kGathering), 1 + kEach * 20);
  EXPECT_EQ(copy_caches(70, kGathering), 1 + kEach * 20);
  EXPECT_EQ(copy_caches(70, kGathering), 1 + kCaches * 70 + 40);
  for (const std::size_t iterations : {70U, 20U, 72U, 3U})
    EXPECT_EQ(copy_caches(iterations, kGathering), 1 + kEach * iterations) << iterations;
  EXPECT_EQ(run_copying(70, kGathering).cells.size(), kCaches + 1);
}

// The loop's end makes an answer at the call site of the caches, which the program keeps through the next pass. It takes none of
// their cells: these would be one too few.
TEST(Lists, LendNoSharedCellToABlockThatDoesNotGrowWithThem) {
  serve(caching(20));
  void* answer = nullptr;
  for (int pass = 0; pass < 3; ++pass) {
    EXPECT_EQ(copy_caches(20), 1 + kCaches * 20);
    const Pass running;
    EXPECT_TRUE(release(allocate(40, 1)));
    EXPECT_TRUE(answer == nullptr || release(answer));
    answer = allocate(kRow + 8, kFirstCache);
    EXPECT_EQ(answer, nullptr);
  }
}

// A larger batch makes outputs larger, too: when its large block makes the plan grow, the list becomes as large as asked.
TEST(Lists, BecomeAsLargeAsPassesAskWhereTheirVariantGrows) {
  PlanDescription plan = recurrent(8);
  plan.variants[0].slots.insert(plan.variants[0].slots.begin(),
                                {large_slot(20, 4096, 0), large_slot(21, 4096, 4096)});
  plan.variants[0].loops = {{.first_slot = 3, .end_slot = 5, .slots = 2}};
  plan.variants[0].slots[0].freed_at = plan.variants[0].slots[1].freed_at = 5;
  serve(plan);
  std::size_t served = 0;
  for (int pass = 0; pass < 3; ++pass) {
    const Pass running;
    std::vector<void*> inputs = {allocate(6000, 20), allocate(6000, 21)};
    const std::vector<void*> outputs = gather(8, 180);
    served = count_served(outputs) + count_served(inputs);
    let_go(outputs);
    let_go(inputs);
  }
  EXPECT_EQ(served, 10U);
}

}  // namespace
}  // namespace memo::runtime
