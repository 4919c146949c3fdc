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

TEST(Lists, LeaveToTheHeapWhatLongerRunsAdd) {
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
