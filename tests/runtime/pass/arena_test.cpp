// The arena seen from the program: what is served from where, what goes to the heap and why, and that no way of
// using it gets a byte handed out twice.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <random>
#include <semaphore>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/formats/rounding.h"
#include "runtime/pass/workers.h"
#include "runtime/plan/anchors.h"
#include "runtime/serving/figures.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/slab/lane.h"
#include "runtime/slab/region.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"

namespace memo::runtime {
namespace {

using namespace testing;

// Sites 1, 2, 3 into three cells, then two large slots on the same bytes.
PlanDescription small_plan() {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 128, 64};
  plan.variants = {{.slots = {cell_slot(1, 40, 0), cell_slot(2, 100, 1), cell_slot(3, 64, 2),
                              large_slot(4, 8192, 0), large_slot(5, 4096, 4096)}}};
  return plan;
}

TEST(Arena, ServesAPassInOrder) {
  serve(small_plan());
  const std::uint64_t served = statistics().served;
  {
    Pass pass;
    char* first = static_cast<char*>(allocate(40, 1));
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(allocate(100, 2), first + 64);
    EXPECT_EQ(allocate(64, 3), first + 192);
    char* large = static_cast<char*>(allocate(8192, 4));
    EXPECT_EQ(large, first + 256);
    EXPECT_TRUE(release(large));
    EXPECT_EQ(allocate(4096, 5), first + 256 + 4096);
    for (std::ptrdiff_t at : {0, 64, 192, 256 + 4096}) EXPECT_TRUE(release(first + at));
  }
  EXPECT_EQ(statistics().served - served, 5u);
}

// Tensors of one call site, in another order than planned: no operator says which of them are near.
TEST(Arena, ServesSlotsOfOneSiteInAnotherOrder) {
  constexpr std::uint32_t kTensors = 40;
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  for (std::uint32_t tensor = 0; tensor < kTensors; ++tensor)
    plan.variants[0].slots.push_back(large_slot(1, 4096 * (tensor + 1), 4096 * tensor * (tensor + 1) / 2));
  serve(plan);
  Pass pass;
  std::vector<void*> blocks;
  for (std::uint32_t tensor = kTensors; tensor > 0; --tensor)
    blocks.push_back(allocate(4096 * std::size_t{tensor}, 1));
  for (void* block : blocks) {
    EXPECT_NE(block, nullptr);
    EXPECT_TRUE(block == nullptr || release(block));
  }
}

TEST(Arena, OutsideAPassTheHeapServes) {
  serve(small_plan());
  EXPECT_EQ(allocate(40, 1), nullptr);
}

// The answer of one pass lives on into the next, in the place of that one's first tensor. Only that tensor goes to the heap: in
// the place of the second it would send that one, and the one after it, to another place or the heap.
TEST(Arena, WhatAnEarlierPassHoldsDisplacesNothingElse) {
  constexpr std::uint32_t kTensors = 8;
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  for (std::uint32_t tensor = 0; tensor < kTensors; ++tensor)
    plan.variants[0].slots.push_back(large_slot(1, 8192, 8192 * tensor));
  serve(plan);
  void* answer = nullptr;
  {
    Pass pass;
    answer = allocate(8192, 1);
  }
  const std::uint64_t occupied = fallbacks(Reason::kOccupied);
  {
    Pass pass;
    EXPECT_EQ(allocate(8192, 1), nullptr);
    for (std::uint32_t tensor = 1; tensor < kTensors; ++tensor) {
      char* block = static_cast<char*>(allocate(8192, 1));
      EXPECT_EQ(block, static_cast<char*>(answer) + 8192 * std::ptrdiff_t{tensor});
      EXPECT_TRUE(release(block));
    }
  }
  EXPECT_EQ(fallbacks(Reason::kOccupied) - occupied, 1u);
  EXPECT_TRUE(release(answer));
}

// A large slot that is still live keeps everything off its bytes; the reason is counted.
TEST(Arena, NeverHandsOutBytesOfALiveLargeSlot) {
  serve(small_plan());
  const std::uint64_t occupied = fallbacks(Reason::kOccupied);
  void* large = nullptr;
  {
    Pass pass;
    for (std::uint64_t site : {1u, 2u, 3u}) EXPECT_TRUE(release(allocate(10, site)));
    large = allocate(8192, 4);
    EXPECT_EQ(allocate(4096, 5), nullptr);
  }
  EXPECT_EQ(fallbacks(Reason::kOccupied) - occupied, 1u);
  EXPECT_TRUE(release(large));
}

// All of them live at once, each at a place of its own; and once more, freed by the thread that took them.
TEST(Arena, ServesAsManyLargeSlotsAsAVariantMayHave) {
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  for (std::uint32_t i = 0; i < kMaxLargePlaces; ++i)
    plan.variants[0].slots.push_back(large_slot(1, kGranule, std::uint64_t{i} * kGranule));
  serve(plan);
  for (int pass = 0; pass < 2; ++pass) {
    const Pass running;
    std::vector<char*> blocks;
    for (std::uint32_t i = 0; i < kMaxLargePlaces; ++i) {
      blocks.push_back(static_cast<char*>(allocate(kGranule, 1)));
      ASSERT_EQ(blocks.back(), blocks.front() + std::ptrdiff_t{i} * kGranule);
    }
    for (char* block : blocks) EXPECT_TRUE(release(block));
  }
}

// A workspace that is asked for again and again: all have one place, of which a plan has only so many.
TEST(Arena, ServesAnyNumberOfLargeSlotsThatFollowEachOtherInOnePlace) {
  constexpr std::uint32_t kMany = 2 * kMaxLargePlaces;
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  for (std::uint32_t i = 0; i < kMany; ++i) plan.variants[0].slots.push_back(large_slot(1, 4096, 0));
  serve(plan);
  for (int pass = 0; pass < 2; ++pass) {
    const Pass running;
    void* first = nullptr;
    for (std::uint32_t i = 0; i < kMany; ++i) {
      void* block = allocate(4096, 1);
      ASSERT_NE(block, nullptr) << "slot " << i;
      first = first == nullptr ? block : first;
      EXPECT_EQ(block, first);
      EXPECT_TRUE(release(block));
    }
  }
}

TEST(Arena, AnEscapingBlockPinsItsSlotOnly) {
  serve(small_plan());
  void* escaped = nullptr;
  {
    Pass pass;
    escaped = allocate(40, 1);
  }
  {
    Pass pass;
    void* spare = allocate(40, 1);
    EXPECT_NE(spare, nullptr);
    EXPECT_NE(spare, escaped);
    EXPECT_TRUE(release(spare));
    void* other = allocate(100, 2);
    EXPECT_NE(other, nullptr);
    EXPECT_TRUE(release(other));
  }
  EXPECT_TRUE(release(escaped));
  Pass pass;
  EXPECT_EQ(allocate(40, 1), escaped);
  EXPECT_TRUE(release(escaped));
}

// The first block should be free when the second comes. Both have one caller, and so has the large one.
TEST(Arena, ABlockThatIsKeptFromItsCellTakesNoLargePlace) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(1, 40, 0), cell_slot(1, 40, 0), large_slot(1, 8192, 0)}}};
  serve(plan);
  Pass pass;
  void* first = allocate(40, 1);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(allocate(40, 1), nullptr);
  void* large = allocate(8192, 1);
  EXPECT_NE(large, nullptr);
  EXPECT_TRUE(release(first));
  EXPECT_TRUE(release(large));
}

TEST(Arena, CountsTheReasonForEachFallback) {
  serve(small_plan());
  const std::uint64_t unknown = fallbacks(Reason::kUnknownSite);
  const std::uint64_t big = fallbacks(Reason::kTooBig);
  const std::uint64_t alignment = fallbacks(Reason::kAlignment);
  {
    Pass pass;
    EXPECT_EQ(allocate(40, 99), nullptr);
    EXPECT_EQ(allocate(200, 1), nullptr);
    EXPECT_EQ(allocate_aligned(100, 1u << 20, 2), nullptr);
  }
  EXPECT_EQ(fallbacks(Reason::kUnknownSite) - unknown, 1u);
  EXPECT_EQ(fallbacks(Reason::kTooBig) - big, 1u);
  EXPECT_EQ(fallbacks(Reason::kAlignment) - alignment, 1u);
}

TEST(Arena, DoubleFreesAndInnerPointersAreCountedAndIgnored) {
  serve(small_plan());
  const std::uint64_t doubled = statistics().double_free;
  const std::uint64_t bad = statistics().bad_free;
  Pass pass;
  char* cell = static_cast<char*>(allocate(40, 1));
  EXPECT_TRUE(release(cell));
  EXPECT_TRUE(release(cell));
  EXPECT_EQ(statistics().double_free - doubled, 1u);
  EXPECT_TRUE(release(cell + 8));
  EXPECT_EQ(statistics().bad_free - bad, 1u);
  int mine = 0;
  EXPECT_FALSE(release(&mine));
}

TEST(Arena, DoubleFreeOfALargeSlotDoesNotFreeItsSuccessor) {
  serve(small_plan());
  Pass pass;
  for (std::uint64_t site : {1u, 2u, 3u}) EXPECT_TRUE(release(allocate(10, site)));
  char* large = static_cast<char*>(allocate(8192, 4));
  EXPECT_TRUE(release(large));
  void* second = allocate(4096, 5);
  EXPECT_TRUE(release(large));
  EXPECT_EQ(usable_size(second), 4096u);
  EXPECT_TRUE(release(second));
}

TEST(Arena, BlocksGrowInPlaceWithinTheirSlot) {
  serve(small_plan());
  Pass pass;
  void* block = allocate(70, 2);
  EXPECT_EQ(usable_size(block), 128u);
  EXPECT_TRUE(resize_in_place(block, 128, 2));
  EXPECT_FALSE(resize_in_place(block, 129, 2));
  EXPECT_TRUE(release(block));
}

// One extra allocation from a known site, early in a scope, costs at most one fallback.
TEST(Matching, AStrayAllocationDoesNotDerailTheRest) {
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  for (std::uint64_t index = 0; index < 60; ++index) {
    plan.cells.push_back(64);
    plan.variants[0].slots.push_back(cell_slot(1 + index % 3, 64, index));
  }
  serve(plan);
  const std::uint64_t served = statistics().served;
  std::vector<void*> blocks;
  {
    Pass pass;
    for (std::uint64_t index = 0; index < 60; ++index) {
      if (index == 5) blocks.push_back(allocate(64, 1));
      blocks.push_back(allocate(64, 1 + index % 3));
    }
  }
  EXPECT_GE(statistics().served - served, 60u);
  for (void* block : blocks) {
    EXPECT_TRUE(block == nullptr || release(block));
  }
}

TEST(Matching, SkippedAllocationsDoNotDerailTheRest) {
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  for (std::uint64_t index = 0; index < 60; ++index) {
    plan.cells.push_back(64);
    plan.variants[0].slots.push_back(cell_slot(1 + index, 64, index));
  }
  serve(plan);
  const std::uint64_t served = statistics().served;
  {
    Pass pass;
    for (std::uint64_t index = 0; index < 60; ++index) {
      if (index % 7 == 3) continue;
      EXPECT_TRUE(release(allocate(64, 1 + index))) << index;
    }
  }
  EXPECT_EQ(statistics().served - served, 60u - 9u);
}

// Two operators whose slots lie on different bytes run in the other order: every slot is found.
TEST(Matching, OperatorsMaySwapTheirOrder) {
  PlanDescription plan = empty_plan();
  PlanVariantDescription variant;
  for (std::uint32_t scope = 0; scope < 3; ++scope) {
    variant.scopes.push_back({.name = std::string(1, static_cast<char>('a' + scope)),
                              .first_slot = scope * 10,
                              .end_slot = scope * 10 + 10});
    for (std::uint64_t index = 0; index < 10; ++index) {
      plan.cells.push_back(64);
      variant.slots.push_back(cell_slot(7, 64, scope * 10 + index, scope));
    }
  }
  plan.variants = {variant};
  serve(plan);
  const std::uint64_t served = statistics().served;
  std::set<void*> blocks;
  {
    Pass pass;
    for (const char* name : {"b", "a", "c"}) {
      scope_begin(scope_name_hash(name));
      for (int index = 0; index < 10; ++index) blocks.insert(allocate(64, 7));
      scope_end();
    }
  }
  EXPECT_EQ(statistics().served - served, 30u);
  EXPECT_EQ(blocks.size(), 30u);
  for (void* block : blocks) EXPECT_TRUE(release(block));
}

// The places of a pass of five operators, whose third one allocates at `site`.
std::vector<void*> run_five_operators(std::uint64_t site) {
  constexpr std::uint64_t kOfLastTwo = 7;
  const Pass pass;
  std::vector<void*> blocks;
  const auto run = [&blocks](const char* name, std::uint64_t at) {
    scope_begin(scope_name_hash(name));
    blocks.push_back(allocate(64, at));
    scope_end();
  };
  run("a", 1);
  run("b", 2);
  run("c", site);
  run("x", kOfLastTwo);
  run("x", kOfLastTwo);
  for (void* block : blocks) EXPECT_TRUE(release(block));
  return blocks;
}

// A pass that shows late of which variant it is finds the same places behind that point as the next one, which begins in it.
TEST(Matching, OperatorsBehindAChangeOfVariantAreThoseOfTheOther) {
  PlanDescription plan = empty_plan();
  plan.cells.assign(5, 64);
  for (const std::uint64_t site : {std::uint64_t{3}, std::uint64_t{4}}) {
    PlanVariantDescription& variant = plan.variants.emplace_back();
    for (std::uint32_t scope = 0; scope < 5; ++scope) {
      variant.scopes.push_back(
          {.name = std::string(1, "abcxx"[scope]), .first_slot = scope, .end_slot = scope + 1});
      variant.slots.push_back(
          cell_slot(std::array<std::uint64_t, 5>{1, 2, site, 7, 7}[scope], 64, scope, scope));
    }
  }
  serve(plan);
  const std::uint64_t served = statistics().served;
  run_five_operators(3);
  const std::vector<void*> changed = run_five_operators(4);
  EXPECT_EQ(run_five_operators(4), changed);
  EXPECT_EQ(statistics().served - served, 15U);
}

// Two variants that part in the operator 'p'. What 'a' asks for in one of them alone, as where a JIT compiles, moves the slots.
PlanDescription plan_that_parts_in_an_operator() {
  PlanDescription plan = empty_plan();
  const std::string_view names = "apq";
  const std::vector<std::vector<std::uint64_t>> sites[] = {{{1}, {3, 4}, {5}},
                                                           {{1, 8, 8, 8}, {3, 9, 6}, {7}}};
  for (int number : {0, 1}) {
    PlanVariantDescription& variant = plan.variants.emplace_back();
    for (std::uint32_t scope = 0; scope < names.size(); ++scope) {
      const auto first = static_cast<std::uint32_t>(variant.slots.size());
      for (const std::uint64_t site : sites[number][scope]) {
        variant.slots.push_back(cell_slot(site, 64, plan.cells.size(), scope));
        plan.cells.push_back(64);
      }
      const auto end = static_cast<std::uint32_t>(variant.slots.size());
      variant.scopes.push_back({.name = {names[scope]}, .first_slot = first, .end_slot = end});
    }
  }
  return plan;
}

// Runs a pass of operators of one letter each, all of whose blocks are served. Returns how many had to be looked for.
std::uint64_t searched_of(
    std::initializer_list<std::pair<const char*, std::vector<std::uint64_t>>> operators) {
  const std::uint64_t before = statistics().searched;
  std::vector<void*> blocks;
  {
    const Pass pass;
    for (const auto& [name, sites] : operators) {
      scope_begin(scope_name_hash(name));
      for (const std::uint64_t site : sites) blocks.push_back(allocate(64, site));
      scope_end();
    }
    for (void* block : blocks) EXPECT_TRUE(release(block));
  }
  return statistics().searched - before;
}

// A pass begins in the variant of the one before it, and only where it parts from that something has to be looked for; the slot for
// caller 9 is left out.
TEST(Variants, ChangeInTheOperatorInWhichTheyPartWhateverStandsBeforeIt) {
  serve(plan_that_parts_in_an_operator());
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(searched_of({{"a", {1}}, {"p", {3, 6}}, {"q", {7}}}), 1U);
    EXPECT_EQ(searched_of({{"a", {1, 8, 8, 8}}, {"p", {3, 4}}, {"q", {5}}}), 1U);
  }
}

// Each key has its variant; a key that was not planned is served by the heap.
TEST(Variants, AreChosenByKey) {
  PlanDescription plan = empty_plan();
  plan.variants = {{.pass_key = 1, .slots = {large_slot(4, 4096, 0)}},
                   {.pass_key = 2, .slots = {large_slot(4, 65536, 0)}}};
  serve(plan);
  for (const auto& [key, size] : {std::pair{1, 4096}, std::pair{2, 65536}, std::pair{1, 4096}}) {
    Pass pass(static_cast<std::uint64_t>(key));
    void* block = allocate(static_cast<std::size_t>(size), 4);
    EXPECT_EQ(usable_size(block), static_cast<std::size_t>(size));
    EXPECT_TRUE(release(block));
  }
  const std::uint64_t planless = fallbacks(Reason::kNoPlan);
  {
    Pass pass(3);
    EXPECT_EQ(allocate(4096, 4), nullptr);
  }
  EXPECT_EQ(fallbacks(Reason::kNoPlan) - planless, 1u);
}

TEST(Variants, WithoutKeysTheSizesDecide) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(1, 8, 0), large_slot(4, 4096, 0)}},
                   {.slots = {cell_slot(1, 8, 0), large_slot(4, 65536, 0)}}};
  serve(plan);
  for (const std::size_t size : {65536u, 4096u, 65536u}) {
    Pass pass;
    void* small = allocate(8, 1);
    void* block = allocate(size, 4);
    EXPECT_GE(usable_size(block), size);
    EXPECT_TRUE(release(block));
    EXPECT_TRUE(release(small));
  }
}

// A pass in which a JIT compiles asks for large blocks of its own variant while it still goes by another one. On the heap they would
// lie beside the place in the slab that all later passes use.
TEST(Variants, ALargeBlockOfAnotherOneTakesAPlaceOfTheTable) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(1, 8, 0), large_slot(4, 4096, 0)}},
                   {.slots = {cell_slot(2, 8, 0), large_slot(5, 1 << 20, 0), large_slot(6, 8192, 1 << 20)}}};
  serve(plan);
  const Pass pass;
  char* first = static_cast<char*>(allocate(1 << 20, 5));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(allocate(1 << 20, 5), nullptr);           // its place is taken
  EXPECT_EQ(allocate((1 << 20) - 4096, 5), nullptr);  // no size of the plan
  EXPECT_EQ(allocate(8192, 6), nullptr);              // less than a 64th of the lane
  EXPECT_TRUE(release(first));
  EXPECT_TRUE(release(allocate(8, 1)));  // the pass is where it was
}

// Shapes were joined: a slot is as large as the largest of them, and sizes lie on no line. Any size between those that
// were seen shows where the pass parts from another variant; a size that never came shows nothing.
TEST(Variants, OfJoinedShapesAreKnownByTheRangeOfTheirSizes) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  PlanSlotDescription joined = large_slot(5, 65536, 0);
  joined.spread = 60000;
  plan.variants = {{.slots = {cell_slot(1, 8, 0), large_slot(4, 4096, 0), large_slot(6, 4096, 0)}},
                   {.slots = {cell_slot(1, 8, 0), joined, large_slot(7, 8192, 0)}}};
  serve(plan);
  for (const auto& [size, known] : {std::pair<std::size_t, bool>{65536, true},
                                    {5536, true},
                                    {30001, true},
                                    {5535, false},
                                    {65537, false}}) {
    {
      const Pass back_in_the_first;
      EXPECT_TRUE(release(allocate(8, 1)));
      EXPECT_TRUE(release(allocate(4096, 4)));
    }
    const Pass pass;
    void* first = allocate(8, 1);
    void* block = allocate(size, 5);
    EXPECT_EQ(block != nullptr, known) << size;
    EXPECT_TRUE(block == nullptr || release(block));
    block = allocate(8000, 7);  // no size that was seen: it fits where the pass is in the second variant
    EXPECT_EQ(block != nullptr, known) << size;
    EXPECT_TRUE(block == nullptr || release(block));
    EXPECT_TRUE(release(first));
  }
}

// While a large slot of one variant is live, its lane serves no other; another lane does.
TEST(Variants, AreNotMixedInOneLane) {
  PlanDescription plan = empty_plan();
  plan.variants = {{.pass_key = 1, .slots = {large_slot(4, 4096, 0)}},
                   {.pass_key = 2, .slots = {large_slot(4, 65536, 0)}}};
  serve(plan);
  Shadow shadow;
  void* first = nullptr;
  {
    Pass pass(1);
    first = allocate(4096, 4);
    shadow.born(first, 4096);
  }
  Pass pass(2);
  void* second = allocate(65536, 4);
  ASSERT_NE(second, nullptr);
  shadow.born(second, 65536);
  EXPECT_TRUE(release(first));
  EXPECT_TRUE(release(second));
}

// Two orders of the same operators: from the second slot on, one has a large block where the other has two smaller ones.
PlanDescription plan_of_two_orders() {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64};
  plan.variants = {
      {.slots = {cell_slot(1, 8, 0), large_slot(4, 4096, 0), cell_slot(5, 8, 1), large_slot(6, 8192, 4096)}},
      {.slots = {cell_slot(1, 8, 0), large_slot(4, 4096, 8192), cell_slot(7, 8, 1), large_slot(8, 4096, 2048),
                 large_slot(8, 4096, 6144)}}};
  return plan;
}

// A pass shows late of which variant it is, while a large block lives. It changes all the same: the places of both variants are
// known, and the block lies where it lies.
TEST(Variants, OfOneKeyChangeWhileLargeBlocksLive) {
  serve(plan_of_two_orders());
  Shadow shadow;
  const Pass pass;
  void* first = allocate(8, 1);
  void* large = allocate(4096, 4);
  shadow.born(large, 4096);
  void* parting = allocate(8, 7);
  void* behind = allocate(4096, 8);  // its own place shares bytes with the block of the other variant
  ASSERT_NE(behind, nullptr);
  shadow.born(behind, 4096);
  EXPECT_EQ(usable_size(large), 4096U);
  for (void* block : {first, large, parting, behind}) EXPECT_TRUE(release(block));
}

// A block of the variant that the pass left is freed by another thread, and its bytes go to one of the variant that it is in.
TEST(Variants, OfOneKeyFreeEachOthersBlocks) {
  serve(plan_of_two_orders());
  const std::uint64_t freed_twice = statistics().double_free;
  const Pass pass;
  void* first = allocate(8, 1);
  void* large = allocate(4096, 4);
  void* parting = allocate(8, 7);
  std::thread([&] { EXPECT_TRUE(release(large)); }).join();
  void* behind = allocate(4096, 8);
  EXPECT_EQ(static_cast<char*>(behind), static_cast<char*>(large) + 2048);
  EXPECT_EQ(usable_size(behind), 4096U);
  for (void* block : {first, parting, behind}) EXPECT_TRUE(release(block));
  EXPECT_EQ(statistics().double_free, freed_twice);
}

// Variants with another one between them in the file have places of their own: one is no bound for the other's blocks.
TEST(Variants, OfAnotherGroupWaitForLiveBlocks) {
  PlanDescription plan = plan_of_two_orders();
  plan.variants.insert(plan.variants.begin() + 1, {.pass_key = 9, .slots = {cell_slot(1, 8, 0)}});
  serve(plan);
  Shadow shadow;
  const Pass pass;
  void* first = allocate(8, 1);
  void* large = allocate(4096, 4);
  shadow.born(large, 4096);
  void* parting = allocate(8, 7);
  for (int block = 0; block < 2; ++block) {
    void* behind = allocate(4096, 8);
    if (behind != nullptr) shadow.born(behind, 4096);
    EXPECT_EQ(behind, nullptr);
  }
  for (void* block : {first, large, parting}) EXPECT_TRUE(block == nullptr || release(block));
}

// A place that is taken does not show another variant, although that one has a free place for this size.
TEST(Variants, AreNotLeftForATakenPlace) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64};
  plan.variants = {{.slots = {cell_slot(1, 8, 0), cell_slot(2, 8, 0), large_slot(3, 4096, 0)}},
                   {.slots = {cell_slot(1, 8, 0), cell_slot(2, 8, 1), large_slot(3, 8192, 0)}}};
  serve(plan);
  const Pass pass;
  void* held = allocate(8, 1);
  void* displaced = allocate(8, 2);
  void* large = allocate(4096, 3);
  EXPECT_EQ(usable_size(large), 4096U);
  for (void* block : {held, displaced, large}) EXPECT_TRUE(release(block));
}

// Random orders of the same sites, whose places overlap as no planner would let them: no byte is handed out twice, whoever frees.
TEST(Variants, OfOneKeyNeverHandOutBytesTwice) {
  std::mt19937 dice(7);
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  for (int order = 0; order < 5; ++order) {
    PlanVariantDescription& variant = plan.variants.emplace_back();
    for (int slot = 0; slot < 40; ++slot)
      variant.slots.push_back(
          large_slot(1 + dice() % 6, 256 << dice() % 5, std::uint64_t{dice() % 64} * 256));
  }
  serve(plan);
  Shadow shadow;
  std::uint64_t served = 0;
  for (int round = 0; round < 300; ++round) {
    const Pass pass;
    std::vector<void*> live;
    for (int step = 0; step < 40; ++step) {
      const PlanSlotDescription& slot = plan.variants[dice() % 5].slots[static_cast<std::size_t>(step)];
      void* block = allocate(slot.size, slot.site.offset);
      if (block == nullptr) continue;
      ++served;
      shadow.born(block, slot.size);
      live.push_back(block);
      if (dice() % 2 == 0 || live.size() > 6) {
        std::swap(live[dice() % live.size()], live.back());
        void* dead = std::exchange(live.back(), nullptr);
        live.pop_back();
        shadow.dies(dead);
        if (dice() % 8 == 0)
          std::thread([dead] { EXPECT_TRUE(release(dead)); }).join();
        else
          EXPECT_TRUE(release(dead));
      }
    }
    for (void* block : live) {
      shadow.dies(block);
      EXPECT_TRUE(release(block));
    }
  }
  EXPECT_GT(served, 300U * 10);
}

[[gnu::noinline]] void inner_pass() {
  Pass inner;
  EXPECT_TRUE(release(allocate(100, 2)));
}

TEST(Passes, AnInnerPassJoinsTheOuter) {
  serve(small_plan());
  const std::uint64_t passes = statistics().passes;
  {
    Pass outer;
    EXPECT_TRUE(release(allocate(40, 1)));
    inner_pass();
    EXPECT_TRUE(release(allocate(64, 3)));
  }
  EXPECT_EQ(statistics().passes - passes, 1u);
}

TEST(Passes, OneThatWasLeftWithoutAnEndIsOverAtTheNextBegin) {
  serve(small_plan());
  const std::uint64_t abandoned = statistics().abandoned;
  for (int round = 0; round < 3; ++round) {
    pass_begin(0, __builtin_frame_address(0));
    EXPECT_TRUE(release(allocate(40, 1)));
  }
  pass_end();
  EXPECT_EQ(statistics().abandoned - abandoned, 2u);
  pass_end();  // one too many
  EXPECT_EQ(allocate(40, 1), nullptr);
}

// The kernel may know a thread for a moment longer than whoever has joined it.
void in_a_thread_that_ends(const std::function<void()>& work) {
  std::atomic<pid_t> thread{0};
  std::thread([&] {
    thread = gettid();
    work();
  }).join();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (tgkill(getpid(), thread, 0) == 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
}

// Counted as passes, with what fell back in them; and few lanes do for many of them, since a thread that begins its first
// pass takes over what others left.
TEST(Passes, ThreadsThatEndInThemLeaveTheirLanesToOthers) {
  static constexpr int kThreads = 40;
  serve(small_plan());
  const std::uint64_t passes = statistics().passes;
  const std::uint64_t unknown = fallbacks(Reason::kUnknownSite);
  for (int thread = 0; thread < kThreads; ++thread) {
    in_a_thread_that_ends([] {
      pass_begin(0, __builtin_frame_address(0));
      EXPECT_TRUE(release(allocate(40, 1)));
      EXPECT_EQ(allocate(40, 77), nullptr);
    });
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (statistics().passes - passes < kThreads && std::chrono::steady_clock::now() < deadline)
    end_passes_of_ended_threads();
  EXPECT_EQ(statistics().passes - passes, static_cast<std::uint64_t>(kThreads));
  EXPECT_EQ(fallbacks(Reason::kUnknownSite) - unknown, static_cast<std::uint64_t>(kThreads));
  LiveGauges figures;
  look_at_serving(&figures);
  EXPECT_LT(figures.lanes, static_cast<std::uint64_t>(kThreads) / 2);
}

// The plan of small_plan, whose first allocation opens each pass.
PlanDescription anchored_plan() {
  PlanDescription plan = small_plan();
  plan.anchors = {{.site = {0, 1}, .least = 1, .most = 40, .pass_key = 0}};
  return plan;
}

TEST(Passes, AnAnchorIsOneSiteAndSomeSizesOfThePlanInForce) {
  serve(anchored_plan());
  EXPECT_TRUE(anchors_open_passes());
  EXPECT_NE(find_anchor(1, 40), nullptr);
  EXPECT_EQ(find_anchor(1, 41), nullptr);
  EXPECT_EQ(find_anchor(1, 0), nullptr);
  EXPECT_EQ(find_anchor(2, 40), nullptr);
  serve(small_plan());
  EXPECT_FALSE(anchors_open_passes());
  EXPECT_EQ(find_anchor(1, 40), nullptr);
}

TEST(Passes, AnAnchorEndsOnePassAndBeginsTheNext) {
  serve(anchored_plan());
  const std::uint64_t passes = statistics().passes;
  const std::uint64_t abandoned = statistics().abandoned;
  void* kept = nullptr;
  for (int round = 0; round < 3; ++round) {
    pass_open(0);
    void* block = allocate(40, 1);
    ASSERT_NE(block, nullptr);
    EXPECT_NE(block, kept);  // it lives on, beyond its pass: its slot is not handed out again
    if (round == 0) {
      kept = block;
    } else {
      EXPECT_TRUE(release(block));
    }
  }
  EXPECT_EQ(statistics().passes - passes, 2u);
  EXPECT_EQ(statistics().abandoned, abandoned);
  EXPECT_TRUE(release(kept));
  pass_end();
}

TEST(Passes, AreUsedUpBehindTheirLastSlot) {
  serve(anchored_plan());
  EXPECT_FALSE(pass_is_used_up(77));  // there is none
  pass_open(0);
  std::vector<void*> blocks;
  for (const auto& [site, size] : {std::pair{1U, 40U}, {2U, 100U}, {3U, 64U}, {4U, 8192U}, {5U, 4096U}}) {
    EXPECT_FALSE(pass_is_used_up(77));
    if (site == 5) {
      EXPECT_TRUE(release(blocks.back()));
    }
    blocks.push_back(allocate(size, site));
    EXPECT_NE(blocks.back(), nullptr);
  }
  EXPECT_TRUE(pass_is_used_up(77));
  const std::uint64_t served = statistics().served;
  pass_end();
  EXPECT_EQ(statistics().served - served, 5U);
  EXPECT_FALSE(pass_is_used_up(77));
  blocks.erase(blocks.begin() + 3);
  for (void* block : blocks) EXPECT_TRUE(release(block));
}

// In a pass answer() says it, outside of passes boundary_at(): both say the same.
TEST(Boundaries, AnAnchorOpensAPassAndTheFirstAllocationBehindItEndsIt) {
  PlanDescription plan = anchored_plan();
  plan.anchors.push_back({.site = {0, 2}, .least = 200, .most = 300, .pass_key = 0});
  plan.variants.front().slots.resize(2);
  serve(plan);
  EXPECT_EQ(boundary_at(41, 1).kind, Boundary::Kind::kIsNone);
  EXPECT_EQ(boundary_at(40, 1).kind, Boundary::Kind::kOpens);
  EXPECT_EQ(boundary_at(40, 1).anchor, 0);
  EXPECT_EQ(boundary_at(200, 2).anchor, 1);
  pass_open(0);
  EXPECT_TRUE(release(allocate(40, 1)));
  EXPECT_EQ(answer(40, 1, 77).boundary.kind, Boundary::Kind::kIsNone);
  EXPECT_TRUE(release(allocate(100, 2)));
  EXPECT_EQ(answer(40, 1, 77).boundary.kind, Boundary::Kind::kEnds);
  EXPECT_EQ(answer(200, 1, 2).boundary.kind, Boundary::Kind::kOpens);
  EXPECT_EQ(answer(200, 1, 2).boundary.anchor, 1);
  pass_end();
}

TEST(Passes, AreNotUsedUpWhereAnotherVariantGoesOn) {
  PlanDescription plan = anchored_plan();
  plan.variants.push_back(plan.variants.front());
  plan.variants.front().slots.resize(3);
  serve(plan);
  pass_open(0);
  for (const std::uint64_t site : {1U, 2U, 3U}) EXPECT_TRUE(release(allocate(10, site)));
  EXPECT_FALSE(pass_is_used_up(4));
  EXPECT_TRUE(pass_is_used_up(5));
  pass_end();
}

TEST(Passes, OneThatIsMarkedIsNoPartOfOneThatAnAnchorOpened) {
  serve(anchored_plan());
  const std::uint64_t passes = statistics().passes;
  pass_open(0);
  { Pass marked; }
  EXPECT_EQ(statistics().passes - passes, 2u);
}

// Each takes the lane of the one before, which ended inside its pass, and hardly one asks for memory.
TEST(Passes, ThreadsThatEndInsideAnOpenedPassLeaveTheirLaneToTheNext) {
  set_lanes(0);
  serve(anchored_plan());
  LiveGauges before;
  look_at_serving(&before);
  for (int thread = 0; thread < 20; ++thread) {
    in_a_thread_that_ends([] {
      pass_open(0);
      EXPECT_TRUE(release(allocate(40, 1)));
    });
  }
  LiveGauges after;
  look_at_serving(&after);
  EXPECT_LE(after.lanes, before.lanes + 3);
}

void expect_one_free_by_another_thread(std::size_t size, std::uint64_t site) {
  serve(small_plan());
  void* block = nullptr;
  std::thread([&] {
    Pass pass;
    block = allocate(size, site);
  }).join();
  ASSERT_NE(block, nullptr);
  std::thread([&] { EXPECT_TRUE(release(block)); }).join();
  const std::uint64_t doubled = statistics().double_free;
  EXPECT_TRUE(release(block));
  EXPECT_EQ(statistics().double_free - doubled, 1u);
}

TEST(Passes, BlocksMayBeFreedByOtherThreadsAndAfterTheirThreadEnded) {
  expect_one_free_by_another_thread(40, 1);
  expect_one_free_by_another_thread(8192, 4);
}

// More passes at once than lanes: the others go to the heap, and are counted.
TEST(Lanes, WhenNoneIsFreeTheHeapServes) {
  set_lanes(1);
  serve(small_plan());
  const std::uint64_t laneless = fallbacks(Reason::kNoLane);
  {
    Pass pass;
    std::thread([] {
      Pass other;
      EXPECT_EQ(allocate(40, 1), nullptr);
    }).join();
    EXPECT_TRUE(release(allocate(40, 1)));
  }
  EXPECT_EQ(fallbacks(Reason::kNoLane) - laneless, 1u);
  set_lanes(0);
}

// Nobody sees the end of such a pass, neither the next one on its lane nor anyone else.
TEST(Lanes, PassesWithoutOneCountThoughTheirThreadsEndInThem) {
  set_lanes(1);
  serve(anchored_plan());
  pass_open(0);
  const std::uint64_t passes = statistics().passes;
  for (int thread = 0; thread < 20; ++thread) in_a_thread_that_ends([] { pass_open(0); });
  pass_end();
  EXPECT_EQ(statistics().passes - passes, 21u);
  set_lanes(0);
}

// Pages of [begin, begin + bytes) that are there; `begin` is where one begins.
std::size_t pages_present(void* begin, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> there(bytes / page);
  EXPECT_EQ(mincore(begin, there.size() * page, there.data()), 0);
  return static_cast<std::size_t>(std::ranges::count_if(there, [](auto bits) { return (bits & 1) != 0; }));
}

// Pages of the serving plan's slab that are there.
std::size_t pages_present() {
  const LoadedPlan* plan = g_plan.load();
  std::size_t present = 0;
  for (const Lane& lane : g_lanes) {
    if (lane.plan.load() != plan || !has_memory(lane)) continue;
    present += pages_present(g_region.at(lane.first_granule), plan->lane_bytes);
  }
  return present;
}

// A process that runs no pass holds no slab; where lanes are asked for by number, no pass waits for their pages.
TEST(Lanes, HaveTheirPagesWhenTouchedOrWhenAskedForByNumber) {
  constexpr std::size_t kBytes = std::size_t{1} << 22;
  PlanDescription plan = empty_plan();
  plan.variants = {{.slots = {large_slot(4, kBytes, 0)}}};
  serve(plan);
  EXPECT_EQ(pages_present(), 0U);
  {
    Pass pass;
    auto* block = static_cast<char*>(allocate(kBytes, 4));
    ASSERT_NE(block, nullptr);
    block[0] = 1;
    EXPECT_GE(pages_present(), 1U);
    EXPECT_TRUE(release(block));
  }
  set_lanes(2);
  serve(plan);
  EXPECT_EQ(pages_present(), 2 * kBytes / static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  set_lanes(0);
}

// Site 1 is a worker's as well as a pass's, site 7 a worker's alone.
PlanDescription plan_for_workers() {
  PlanDescription plan = small_plan();
  plan.variants.push_back({.pass_key = kWorkerPassKey, .slots = {cell_slot(1, 40, 0), cell_slot(7, 100, 1)}});
  return plan;
}

// Returns what a thread without a pass is served at this site.
void* as_worker(std::size_t size, std::uint64_t site) {
  if (worker_moves_on(site)) static_cast<void>(move_worker_on(site));
  return allocate(size, site);
}

TEST(Workers, AreServedWhileSomebodyRunsAPassFromSitesOfTheirVariant) {
  serve(plan_for_workers());
  g_running_passes.keep(0);  // threads of other tests ended in theirs
  const std::uint64_t passes = statistics().passes;
  const std::uint64_t workers = statistics().workers.passes;
  const std::uint64_t served = statistics().workers.served;
  Helper worker;
  worker.run([] { EXPECT_EQ(as_worker(40, 1), nullptr); });
  for (int round = 0; round < 2; ++round) {
    const Pass pass;
    void* mine = allocate(40, 1);
    worker.run([&] {
      EXPECT_EQ(as_worker(64, 3), nullptr);
      void* block = as_worker(40, 1);
      ASSERT_NE(block, nullptr);
      EXPECT_NE(block, mine);
      EXPECT_TRUE(release(block));
      EXPECT_TRUE(release(as_worker(100, 7)));
      EXPECT_TRUE(release(as_worker(40, 1)));  // begins again
    });
    EXPECT_TRUE(release(mine));
  }
  worker.run([] { EXPECT_EQ(as_worker(40, 1), nullptr); });
  EXPECT_EQ(statistics().passes - passes, 2u);
  EXPECT_EQ(statistics().workers.passes - workers, 2u);
  EXPECT_EQ(statistics().workers.served - served, 6u);
}

TEST(Workers, MoveOnAtASiteOfTheirsOnceForEachPass) {
  serve(plan_for_workers());
  g_running_passes.keep(0);
  Helper worker;
  worker.run([] { EXPECT_EQ(boundary_at(40, 1).kind, Boundary::Kind::kIsNone); });
  const Pass pass;
  worker.run([] {
    EXPECT_EQ(boundary_at(64, 3).kind, Boundary::Kind::kIsNone);
    EXPECT_EQ(boundary_at(40, 1).kind, Boundary::Kind::kMovesOn);
    EXPECT_TRUE(release(as_worker(40, 1)));
    EXPECT_EQ(boundary_at(40, 1).kind, Boundary::Kind::kIsNone);
  });
}

// Neither takes the other's; a lane for workers has the pages that were touched, and no more.
TEST(Workers, HaveLanesOfTheirOwn) {
  set_lanes(1);
  serve(plan_for_workers());
  const std::uint64_t laneless = fallbacks(Reason::kNoLane);
  {
    Helper workers[3];
    const Pass pass;
    for (Helper& worker : workers) worker.run([] { EXPECT_TRUE(release(as_worker(40, 1))); });
    EXPECT_TRUE(release(allocate(40, 1)));
    LiveGauges figures;
    look_at_serving(&figures);
    EXPECT_EQ(figures.lanes, 1u);
    EXPECT_GE(figures.worker_lanes, 3u);  // and those of other tests' workers
  }
  set_lanes(0);
  EXPECT_EQ(fallbacks(Reason::kNoLane), laneless);
}

TEST(Workers, AreOnTheHeapWhenTheyAreTooMany) {
  serve(plan_for_workers());
  const std::uint64_t laneless = statistics().workers.fallback[static_cast<int>(Reason::kNoLane)];
  {
    std::vector<std::unique_ptr<Helper>> workers;
    const Pass pass;
    for (std::uint32_t number = 0; number < kMostWorkerLanes; ++number) {
      workers.push_back(std::make_unique<Helper>());
      workers.back()->run([] { EXPECT_TRUE(release(as_worker(40, 1))); });
    }
    Helper one_more;
    one_more.run([] { EXPECT_EQ(as_worker(40, 1), nullptr); });
    workers.pop_back();  // a worker that has ended leaves its lane
    one_more.run([] {
      // The kernel may still know a thread that was joined a moment ago.
      void* block = nullptr;
      for (int attempt = 0; block == nullptr && attempt < 1000; ++attempt) {
        std::this_thread::sleep_for(std::chrono::milliseconds(attempt == 0 ? 0 : 1));
        g_running_passes.begin();
        block = as_worker(40, 1);
        g_running_passes.end();
      }
      EXPECT_TRUE(release(block));
    });
  }
  EXPECT_GE(statistics().workers.fallback[static_cast<int>(Reason::kNoLane)] - laneless, 1u);
}

TEST(Workers, BecomeOwnersWhenTheyBeginAPass) {
  serve(plan_for_workers());
  const Pass pass;
  Helper worker;
  worker.run([] {
    EXPECT_TRUE(release(as_worker(100, 7)));
    const Pass own;
    EXPECT_FALSE(worker_moves_on(7));
    ASSERT_NE(t_self.lane, nullptr);
    EXPECT_EQ(t_self.lane->use, LaneFor::kPasses);
    EXPECT_TRUE(release(as_worker(64, 3)));
  });
}

// No pass gets a worker's variant, not even by telling its key.
TEST(Workers, LendTheirVariantToNoPass) {
  PlanDescription plan = plan_for_workers();
  plan.variants[0].pass_key = 5;
  serve(plan);
  for (const std::uint64_t key : {kWorkerPassKey, std::uint64_t{0}, std::uint64_t{5}}) {
    const Pass pass(key);
    EXPECT_TRUE(t_self.lane == nullptr || !is_for_workers(*t_self.lane->variant)) << key;
  }
}

constexpr std::uint64_t kManySlots = 40;

// So many blocks in as many cells, one large one behind them.
PlanDescription plan_of_many_cells(std::uint64_t slots = kManySlots) {
  PlanDescription plan = empty_plan();
  plan.cells.assign(slots, 64);
  plan.variants.emplace_back();
  for (std::uint64_t slot = 0; slot < slots; ++slot)
    plan.variants[0].slots.push_back(cell_slot(slot + 1, 40, slot));
  plan.variants[0].slots.push_back(large_slot(slots + 1, std::uint64_t{1} << 20, 0));
  return plan;
}

// Runs a pass of that plan and frees all of it but the first `kept` blocks. Returns how many were served.
std::uint64_t run_pass_and_keep(std::uint64_t kept, std::vector<void*>* blocks_kept,
                                std::uint64_t slots = kManySlots) {
  std::vector<void*> blocks;
  Pass pass;
  for (std::uint64_t slot = 0; slot <= slots; ++slot) {
    void* block = allocate(slot == slots ? std::size_t{1} << 20 : 40, slot + 1);
    if (block == nullptr) continue;
    std::memset(block, 1, 40);
    blocks.push_back(block);
  }
  for (std::uint64_t number = 0; number < blocks.size(); ++number) {
    if (number < kept) {
      blocks_kept->push_back(blocks[number]);
    } else {
      EXPECT_TRUE(release(blocks[number]));
    }
  }
  return blocks.size();
}

// What a warm-up leaves in the cells of a lane does not cost every pass after it: the thread gets a fresh lane, and the
// old one lets all its pages go but those of its cells. There is an end to it where every pass leaves something.
TEST(Lanes, AreReplacedWhenBlocksThatOutlivedTheirPassesHoldTheirCells) {
  set_lanes(1);
  serve(plan_of_many_cells());
  std::vector<void*> kept;
  EXPECT_EQ(run_pass_and_keep(4, &kept), kManySlots + 1);
  EXPECT_EQ(run_pass_and_keep(0, &kept), kManySlots + 1 - 4);
  EXPECT_EQ(run_pass_and_keep(0, &kept), kManySlots + 1 - 4);
  const std::size_t before = pages_present();
  EXPECT_EQ(run_pass_and_keep(0, &kept), kManySlots + 1);
  EXPECT_LE(pages_present(), before + 512);
  for (int pass = 0; pass < 1000; ++pass) run_pass_and_keep(2, &kept);
  LiveGauges figures;
  look_at_serving(&figures);
  EXPECT_LE(figures.lanes, 9U);
  for (void* block : kept) EXPECT_TRUE(release(block));
  EXPECT_EQ(run_pass_and_keep(0, &kept), kManySlots + 1);
  set_lanes(0);
}

std::size_t whole_pages_present(const std::vector<void*>& blocks, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t present = 0;
  for (const void* block : blocks) {
    const std::uintptr_t begin = round_up(reinterpret_cast<std::uintptr_t>(block), page);
    present += pages_present(reinterpret_cast<void*>(begin), bytes - page);
  }
  return present;
}

// Of a lane that is replaced while a large block lives in it, as the weights that a JIT has converted do, that block's pages
// stay, and no others; also where most of a pass found its places taken at once.
TEST(Lanes, ThatAreReplacedKeepThePagesOfWhatLives) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  for (const std::uint64_t cells : {kManySlots, std::uint64_t{3}}) {
    set_lanes(2);
    PlanDescription plan = plan_of_many_cells(cells);
    for (const std::uint64_t large : {std::uint64_t{1}, std::uint64_t{2}})
      plan.variants[0].slots.push_back(large_slot(cells + 1 + large, kBytes, large * kBytes));
    serve(plan);
    std::vector<void*> kept;
    std::vector<void*> large;
    {
      const Pass pass;
      for (std::uint64_t cell = 0; cell < cells; ++cell) kept.push_back(allocate(40, cell + 1));
      for (std::uint64_t i = 0; i < 3; ++i) large.push_back(allocate(kBytes, cells + 1 + i));
      for (void* block : large) std::memset(block, 7, kBytes);
    }
    while (kept.size() > 4) {
      EXPECT_TRUE(release(kept.back()));
      kept.pop_back();
    }
    EXPECT_TRUE(release(large[0]));
    EXPECT_TRUE(release(large[2]));
    const std::size_t all = whole_pages_present({large[1]}, kBytes);
    EXPECT_EQ(whole_pages_present({large[0], large[2]}, kBytes), 2 * all);
    std::vector<void*> none;
    for (int pass = 0; pass < 10; ++pass) run_pass_and_keep(0, &none, cells);
    EXPECT_EQ(run_pass_and_keep(0, &none, cells), cells + 1);
    EXPECT_EQ(whole_pages_present({large[0], large[2]}, kBytes), 0U);
    EXPECT_EQ(whole_pages_present({large[1]}, kBytes), all);
    const auto* bytes = static_cast<const unsigned char*>(large[1]);
    EXPECT_EQ(std::count(bytes, bytes + kBytes, 7), static_cast<std::ptrdiff_t>(kBytes));
    kept.push_back(large[1]);
    for (void* block : kept) EXPECT_TRUE(release(block));
  }
  set_lanes(0);
}

// An answer, which whoever asked drops after the next pass began, takes no place that another block from the same call site needs.
TEST(Passes, LeaveToTheHeapWhatOutlivesThem) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {heap_slot(1, 40), cell_slot(1, 40, 0), large_slot(2, 4096, 0)}}};
  serve(plan);
  const std::uint64_t unplanned = fallbacks(Reason::kUnplanned);
  for (int pass = 0; pass < 10; ++pass) {
    const Pass running;
    EXPECT_EQ(allocate(40, 1), nullptr);
    for (const auto& [size, site] : {std::pair<std::size_t, std::uint64_t>{40, 1}, {4096, 2}}) {
      void* block = allocate(size, site);
      ASSERT_NE(block, nullptr) << pass;
      EXPECT_TRUE(release(block));
    }
  }
  EXPECT_EQ(fallbacks(Reason::kUnplanned) - unplanned, 10U);
}

// What a program keeps is counted apart from all that a better plan could serve, by count and by bytes, whether the pass is at
// the slot, or takes its blocks in another order. One more than the plan foresees is another miss.
TEST(Passes, CountWhatTheProgramKeeps) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {kept_slot(1, 40), heap_slot(2, 50), cell_slot(3, 60, 0)}}};
  serve(plan);
  const std::uint64_t kept = fallbacks(Reason::kKept), unplanned = fallbacks(Reason::kUnplanned);
  const PassFigures before = look_at_passes();
  for (const auto& order : {std::array{1, 2, 3}, std::array{3, 2, 1}, std::array{1, 1, 2}}) {
    const Pass running;
    for (const int site : order) {
      void* block = allocate(static_cast<std::size_t>(30 + 10 * site), static_cast<std::uint64_t>(site));
      EXPECT_EQ(block != nullptr, site == 3);
      EXPECT_EQ(release(block), site == 3);
    }
  }
  EXPECT_EQ(fallbacks(Reason::kKept) - kept, 3U);
  EXPECT_EQ(fallbacks(Reason::kUnplanned) - unplanned, 3U);
  const PassFigures after = look_at_passes();
  EXPECT_EQ(after.kept_bytes - before.kept_bytes, 3U * 40);
  EXPECT_EQ(after.fallback_bytes - before.fallback_bytes, 4U * 40 + 3 * 50);
}

// What a library keeps for a new shape comes behind steps that this pass skipped. It tells where the pass goes on.
TEST(Passes, KnowTheirPlaceByWhatIsLeftToTheHeap) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = std::vector<PlanSlotDescription>(60, cell_slot(3, 64, 0))}};
  plan.variants[0].slots.push_back(heap_slot(2, 40));
  plan.variants[0].slots.push_back(large_slot(3, 4096, 0));
  serve(plan);
  const std::uint64_t unplanned = fallbacks(Reason::kUnplanned);
  {
    const Pass running;
    EXPECT_EQ(allocate(40, 2), nullptr);
    void* block = allocate(4096, 3);
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(release(block));
  }
  EXPECT_EQ(fallbacks(Reason::kUnplanned) - unplanned, 1U);
}

// It would hold the cell for good, and keep out of it what comes there in all later passes. Sizes that the program does not keep
// are not concerned.
TEST(Passes, LendNoPlaceToWhatTheProgramKeeps) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64};
  plan.variants = {{.slots = {cell_slot(1, 64, 0), kept_slot(1, 40), cell_slot(2, 64, 1)}}};
  serve(plan);
  const Pass running;
  for (const std::uint64_t site : {1U, 2U}) {
    void* block = allocate(64, site);
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(release(block));
  }
  EXPECT_EQ(allocate(40, 1), nullptr);
  void* other = allocate(48, 1);
  ASSERT_NE(other, nullptr);
  EXPECT_TRUE(release(other));
}

// It would hold the cell in the next pass, when the cell's own block comes.
TEST(Passes, GiveNoSpareCellToWhatBelongsOnTheHeap) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64};
  plan.variants = {{.slots = {heap_slot(2, 40), cell_slot(1, 40, 0), cell_slot(1, 40, 1)}}};
  serve(plan);
  const Pass running;
  EXPECT_EQ(allocate(40, 2), nullptr);
  void* block = allocate(40, 1);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(allocate(40, 2), nullptr);
  EXPECT_TRUE(release(block));
}

// However little it is that passes lose, it adds up.
TEST(Lanes, AreReplacedWhenASingleBlockCostsEveryPassALittle) {
  set_lanes(1);
  serve(plan_of_many_cells());
  std::vector<void*> kept;
  EXPECT_EQ(run_pass_and_keep(1, &kept), kManySlots + 1);
  std::uint64_t passes = 0;
  while (passes < 10 && run_pass_and_keep(0, &kept) == kManySlots) ++passes;
  EXPECT_GE(passes, 2U);  // one proves nothing
  EXPECT_LE(passes, 4U);
  EXPECT_TRUE(release(kept[0]));
  set_lanes(0);
}

// One block of a thousand, but most of a pass's bytes: a buffer that an engine keeps from its first pass on.
TEST(Lanes, AreReplacedWhenASingleLargeBlockCostsEveryPassItsBytes) {
  constexpr std::uint64_t kCells = 1000;
  set_lanes(1);
  serve(plan_of_many_cells(kCells));
  void* large = nullptr;
  {
    const Pass pass;
    large = allocate(std::size_t{1} << 20, kCells + 1);
    ASSERT_NE(large, nullptr);
  }
  std::vector<void*> kept;
  std::uint64_t passes = 0;
  while (passes < 10 && run_pass_and_keep(0, &kept, kCells) == kCells) ++passes;
  EXPECT_GE(passes, 2U);  // one proves nothing
  EXPECT_LE(passes, 4U);
  EXPECT_EQ(run_pass_and_keep(0, &kept, kCells), kCells + 1);
  EXPECT_TRUE(release(large));
  set_lanes(0);
}

// Also where a pass is so short that any one block is a sixteenth of it.
TEST(Lanes, AreAskedForEverMoreSeldomWhereThereAreNone) {
  constexpr std::uint64_t kFewSlots = 3;
  set_lanes(1);
  serve(plan_of_many_cells(kFewSlots));
  std::vector<void*> kept;
  std::uint64_t served = kFewSlots + 1;
  for (int pass = 0; pass < 1000; ++pass)
    served = run_pass_and_keep(served == kFewSlots + 1 ? 1 : 0, &kept, kFewSlots);
  EXPECT_GT(kept.size(), 5U);  // each of which got its lane replaced, until there were no more
  {
    const Pass pass;
    EXPECT_GE(t_self.lane->asked_for_another, 3U);
    EXPECT_LE(t_self.lane->asked_for_another, 10U);
  }
  for (void* block : kept) EXPECT_TRUE(release(block));
  set_lanes(0);
}

// A thread that ends in the middle of a pass does not keep its lane for ever.
TEST(Lanes, OfThreadsThatEndedAreUsedAgain) {
  set_lanes(1);
  serve(small_plan());
  void* block = nullptr;
  in_a_thread_that_ends([&] {
    pass_begin(0, __builtin_frame_address(0));
    block = allocate(40, 1);
  });
  {
    Pass pass;
    void* spare = allocate(40, 1);
    EXPECT_NE(spare, nullptr);
    EXPECT_NE(spare, block);  // which is still live
    EXPECT_TRUE(release(spare));
  }
  EXPECT_TRUE(release(block));
  set_lanes(0);
}

// Blocks of a plan that was replaced stay valid and are freed as before.
TEST(Plans, MayBeReplacedWhileBlocksAreLive) {
  serve(small_plan());
  Shadow shadow;
  void* old = nullptr;
  {
    Pass pass;
    old = allocate(40, 1);
    shadow.born(old, 40);
    serve(small_plan());
    void* same_plan = allocate(100, 2);
    EXPECT_NE(same_plan, nullptr);
    EXPECT_TRUE(release(same_plan));
  }
  Pass pass;
  void* fresh = allocate(40, 1);
  shadow.born(fresh, 40);
  EXPECT_TRUE(release(old));
  EXPECT_TRUE(release(fresh));
}

// Swapping plans for ever uses up neither lanes nor addresses.
TEST(Plans, GiveTheirMemoryBackWhenReplaced) {
  for (int round = 0; round < 400; ++round) {
    serve(small_plan());
    Pass pass;
    EXPECT_TRUE(release(allocate(40, 1)));
  }
}

// A pass that runs while its plan is replaced may leave blocks for long, as a JIT does. Its lane has no heir then.
TEST(Plans, GiveBackThePagesAroundWhatLivesOnWhenReplaced) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  PlanDescription plan = small_plan();
  plan.variants[0].slots = {large_slot(1, kBytes, 0), large_slot(2, kBytes, kBytes)};
  serve(plan);
  void* left = nullptr;
  void* lives = nullptr;
  {
    const Pass pass;
    for (auto& [block, site] : {std::pair<void*&, std::uint64_t>{left, 1}, {lives, 2}})
      std::memset(block = allocate(kBytes, site), 7, kBytes);
    serve(small_plan());
  }
  const std::size_t all = whole_pages_present({lives}, kBytes);
  EXPECT_TRUE(release(left));
  for (int pass = 0; pass < 10 && whole_pages_present({left}, kBytes) != 0; ++pass) {
    std::this_thread::sleep_for(std::chrono::milliseconds(pass));
    const Pass looks_after_plans;
  }
  EXPECT_EQ(whole_pages_present({left}, kBytes), 0U);
  EXPECT_EQ(whole_pages_present({lives}, kBytes), all);
  EXPECT_TRUE(release(lives));
}

struct SteadySoFar {
  std::uint64_t passes = statistics().steady.passes;
  std::uint64_t served = statistics().steady.served;
  std::uint64_t missed = statistics().steady.missed;
  std::uint64_t missed_bytes = statistics().steady.missed_bytes;
};

// A plan says how many passes of each kind warm up: these count in all, and not in the steady state.
TEST(Statistics, TellTheWarmUpFromTheSteadyState) {
  PlanDescription plan = small_plan();
  for (PlanVariantDescription& variant : plan.variants) variant.warm_up = 2;
  serve(plan);
  const std::uint64_t key = 4711;  // no other test has passes of this kind
  const std::uint64_t passes = statistics().passes;
  const SteadySoFar before;
  for (int number = 0; number < 5; ++number) {
    Pass pass(key);
    std::ignore = allocate(1000, 99);  // no plan knows this site
  }
  const SteadySoFar after;
  EXPECT_EQ(statistics().passes - passes, 5U);
  EXPECT_EQ(after.passes - before.passes, 3U);
  EXPECT_EQ(after.missed - before.missed, 3U);
  EXPECT_EQ(after.missed_bytes - before.missed_bytes, 3000U);
}

// Threads that begin together share the process's count, and each warms up for itself. A thread that comes later finds a program
// that is warm.
TEST(Statistics, LetEachThreadThatBeginsInTheWarmUpWarmUp) {
  PlanDescription plan = small_plan();
  for (PlanVariantDescription& variant : plan.variants) variant.warm_up = 3;
  serve(plan);
  const auto steady_of = [](int passes) {
    const std::uint64_t before = statistics().steady.passes;
    for (int number = 0; number < passes; ++number) Pass pass(4712);  // no other test has passes of this kind
    return statistics().steady.passes - before;
  };
  std::binary_semaphore has_begun(0);
  std::binary_semaphore goes_on(0);
  std::thread second([&] {
    EXPECT_EQ(steady_of(1), 0U);
    has_begun.release();
    goes_on.acquire();
    EXPECT_EQ(steady_of(2), 0U) << "the process is past its third pass, this thread is not";
    EXPECT_EQ(steady_of(2), 2U);
  });
  has_begun.acquire();
  std::thread([&] { EXPECT_EQ(steady_of(5), 2U); }).join();
  goes_on.release();
  second.join();
  std::thread([&] { EXPECT_EQ(steady_of(2), 2U); }).join();
}

// Slots may be larger than what is asked for, above all where one plan serves many shapes: the bytes served are those
// that the program asked for, of cells and of large slots, expected or found by a search.
TEST(Statistics, CountTheBytesThatWereAskedFor) {
  PlanDescription plan = empty_plan();
  plan.cells = {4096};
  plan.variants = {{.slots = {cell_slot(1, 4000, 0), large_slot(2, 1 << 20, 0)}}};
  serve(plan);
  const std::uint64_t before = statistics().served_bytes;
  {
    Pass pass;
    EXPECT_TRUE(release(allocate(100, 1)));
    EXPECT_TRUE(release(allocate(70'000, 2)));
  }
  EXPECT_EQ(statistics().served_bytes - before, 70'100U);
  {
    Pass pass;
    EXPECT_TRUE(release(allocate(60'000, 2)));  // out of order
    EXPECT_TRUE(release(allocate(10, 1)));
  }
  EXPECT_EQ(statistics().served_bytes - before, 70'100U + 60'010U);
}

TEST(Statistics, AreOneJsonObject) {
  serve(small_plan());
  char text[2048];
  const std::size_t length = statistics_json(text, sizeof text, nullptr);
  ASSERT_LT(length, sizeof text);
  EXPECT_EQ(text[0], '{');
  EXPECT_EQ(text[length - 1], '}');
  char cut[16];
  EXPECT_EQ(statistics_json(cut, sizeof cut, nullptr), length);
  EXPECT_EQ(std::string(cut), std::string(text, 15));
}

}  // namespace
}  // namespace memo::runtime
