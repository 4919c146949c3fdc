// What `memomalloc size` computes is what the library takes: a wrong figure would have a container killed, or leave half of a
// machine idle. The arena itself is asked wherever it can tell: the memory of a lane, the height of a plan that serves, and the
// height of one that grew for a larger shape. A failure means that the planner's arithmetic has drifted from the library's.
#include "planner/plan/memory_need.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "planner/plan/foreseen.h"
#include "runtime/formats/rounding.h"
#include "runtime/plan/growth.h"
#include "runtime/serving/figures.h"
#include "runtime/slab/region.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::planner {
namespace {

using namespace runtime::testing;
using runtime::whole_granules;

constexpr std::uint64_t kMebi = 1 << 20;

PlanDescription plan_of_slots(std::vector<PlanSlotDescription> slots) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants.push_back({.slots = std::move(slots)});
  return plan;
}

PlanSlotDescription freed_before(PlanSlotDescription slot, std::uint32_t freed_at) {
  slot.freed_at = freed_at;
  return slot;
}

// ---- what a request takes ----

RC_GTEST_PROP(LaneMemory, IsWhatTheLibraryReaches, ()) {
  const std::uint64_t height = *rc::gen::inRange<std::uint64_t>(1, 16 * kMebi);
  RC_ASSERT(lane_memory(height) == runtime::slab_reach(height));
}

TEST(LaneMemory, HasAWholeHugePageForATailOfHalfAOne) {
  EXPECT_EQ(lane_memory(1), 4096u);
  EXPECT_EQ(lane_memory(kMebi - 4096), kMebi - 4096);
  EXPECT_EQ(lane_memory(kMebi), 2 * kMebi);
  EXPECT_EQ(lane_memory(2 * kMebi + 1), 2 * kMebi + 4096);
}

TEST(LaneMemory, HasTheIndexThatTheLibraryKeepsOfIt) {
  const PlanDescription plan = plan_of_slots({freed_before(large_slot(1, 40'000, 0), 1)});
  serve(plan);
  { const Pass pass; }
  LiveGauges figures;
  runtime::look_at_serving(&figures);
  const std::uint64_t bytes = height(plan, plan.variants[0]);
  ASSERT_EQ(figures.slab_bytes, bytes);
  EXPECT_EQ(with_index(bytes) - bytes, bytes / kGranule * sizeof(runtime::Owner));
}

TEST(HeapBeside, IsTheMostThatLivesAtOnce) {
  const PlanDescription plan =
      plan_of_slots({freed_before(heap_slot(1, 1000), 1), freed_before(heap_slot(2, 300), 3),
                     freed_before(heap_slot(3, 600), 4), freed_before(heap_slot(4, 50), 4)});
  EXPECT_EQ(heap_beside(plan.variants[0]), 1000u);
  const PlanDescription longer =
      plan_of_slots({freed_before(heap_slot(1, 1000), 2), freed_before(heap_slot(2, 300), 2)});
  EXPECT_EQ(heap_beside(longer.variants[0]), 1300u);
}

TEST(HeapBeside, LeavesOutWhatHasAPlaceAndWhatIsKept) {
  const PlanDescription plan =
      plan_of_slots({freed_before(cell_slot(1, 40, 0), 3), freed_before(large_slot(2, 8192, 0), 3),
                     freed_before(kept_slot(3, 500), 3)});
  EXPECT_EQ(heap_beside(plan.variants[0]), 0u);
}

TEST(MemoryNeed, IsOfTheHighestVariantAndTheHungriest) {
  PlanDescription plan = plan_of_slots({freed_before(large_slot(1, 40'000, 0), 1)});
  plan.variants.push_back({.slots = {freed_before(heap_slot(2, 7000), 1)}});
  const MemoryNeed need = need_of(plan);
  EXPECT_EQ(need.lane, 40'960u);
  EXPECT_EQ(need.heap, 7000u);
  EXPECT_EQ(need.request(), 40'960u + 1280u + 7000u);
  EXPECT_EQ(need.worker, 0u);
}

// Their heap is not that of a pass.
TEST(MemoryNeed, NamesTheLaneOfWorkersByItself) {
  PlanDescription plan = plan_of_slots({freed_before(large_slot(1, 40'000, 0), 1)});
  plan.variants.push_back(
      {.pass_key = kWorkerPassKey,
       .slots = {freed_before(large_slot(2, 5000, 0), 2), freed_before(heap_slot(3, 7000), 2)}});
  const MemoryNeed need = need_of(plan);
  EXPECT_EQ(need.worker, 8192u);
  EXPECT_EQ(need.lane, 40'960u);
  EXPECT_EQ(need.heap, 0u);
}

// ---- how many fit ----

TEST(Fitting, GoesByTheLastByte) {
  const MemoryNeed need{.lane = 640, .heap = 10};  // and 20 bytes of index
  EXPECT_EQ(fitting_at_once(need, 50, 50 + 3 * 670 - 1), 2u);
  EXPECT_EQ(fitting_at_once(need, 50, 50 + 3 * 670), 3u);
  EXPECT_EQ(needed_at_once(need, 50, 3), 50u + 3 * 670);
}

TEST(Fitting, IsNoneBelowTheBase) {
  const MemoryNeed need{.lane = 100};
  EXPECT_EQ(fitting_at_once(need, 500, 500), 0u);
  EXPECT_EQ(fitting_at_once(need, 500, 3), 0u);
}

TEST(Fitting, IsNoMoreThanAProcessHasLanes) {
  EXPECT_EQ(fitting_at_once({.lane = 1}, 0, kMebi), kMostAtOnce);
  EXPECT_EQ(fitting_at_once({}, 0, kMebi), kMostAtOnce);
  EXPECT_EQ(kMostAtOnce, runtime::kMaxLanes);
}

RC_GTEST_PROP(Fitting, WhatFitsIsNoMoreThanTheLimitAndOneMoreIs, ()) {
  const MemoryNeed need{.lane = *rc::gen::inRange<std::uint64_t>(1000, 9000)};
  const auto base = *rc::gen::inRange<std::uint64_t>(0, 9000);
  const auto limit = base + *rc::gen::inRange<std::uint64_t>(0, 100'000);
  const std::uint64_t fitting = fitting_at_once(need, base, limit);
  RC_ASSERT(needed_at_once(need, base, fitting) <= limit);
  RC_ASSERT(needed_at_once(need, base, fitting + 1) > limit);
}

// ---- shapes ----

constexpr std::uint64_t kOfState = 1024;  // bytes for each unit of p · q
constexpr std::uint64_t kOfWeights = 4;   // of p · q²
constexpr FormulaNumbers kProfiled{.p = 8, .q = 16};

std::vector<std::size_t> sizes_of(const FormulaNumbers& shape) {
  const std::size_t state = kOfState * shape.p * shape.q;
  const std::size_t weights = kOfWeights * shape.p * shape.q * shape.q;
  return {40, state, state, weights, weights, 300'000};
}

// All blocks live to the end, one above the other. Blocks are at the sites 1, 2, ….
PlanDescription plan_of_texts() {
  PlanDescription plan = plan_of_slots({cell_slot(1, 40, 0)});
  PlanVariantDescription& variant = plan.variants.front();
  variant.range = {.least = 1, .most = 2, .alone = 1, .varying = {{1, kProfiled.p}, {1, kProfiled.q}}};
  const std::vector<std::size_t> sizes = sizes_of(kProfiled);
  std::uint64_t top = 0;
  for (std::size_t at = 1; at < sizes.size(); ++at) {
    variant.slots.push_back(large_slot(at + 1, sizes[at], top));
    top += whole_granules(sizes[at]);
  }
  variant.slots[1].formula = variant.slots[2].formula = {.factor = kOfState, .powers = {1, 1}};
  variant.slots[3].formula = variant.slots[4].formula = {.factor = kOfWeights, .powers = {1, 2}};
  for (PlanSlotDescription& slot : variant.slots)
    slot.freed_at = static_cast<std::uint32_t>(variant.slots.size());
  return plan;
}

// Returns how many blocks of a pass were not served.
std::size_t run_pass(const FormulaNumbers& shape) {
  std::vector<void*> blocks;
  std::size_t missed = 0;
  const Pass pass;
  for (std::size_t at = 0; const std::size_t size : sizes_of(shape)) {
    void* block = runtime::allocate(size, ++at);
    if (block != nullptr)
      blocks.push_back(block);
    else
      ++missed;
  }
  for (void* block : blocks) EXPECT_TRUE(runtime::release(block));
  return missed;
}

std::uint64_t slab_bytes() {
  LiveGauges figures;
  runtime::look_at_serving(&figures);
  return figures.slab_bytes;
}

TEST(Foreseen, TheHeightIsThatOfTheLaneThatServes) {
  const PlanDescription plan = plan_of_texts();
  serve(plan);
  EXPECT_EQ(run_pass(kProfiled), 0u);
  EXPECT_EQ(slab_bytes(), height(plan, plan.variants[0]));
}

TEST(Foreseen, TheHeightForALargerShapeIsThatOfTheLaneThatGrewForIt) {
  for (const FormulaNumbers& shape : {FormulaNumbers{.p = 10, .q = 16}, FormulaNumbers{.p = 9, .q = 25},
                                      FormulaNumbers{.p = 12, .q = 20}}) {
    serve(plan_of_texts());
    EXPECT_NE(run_pass(shape), 0u);
    EXPECT_EQ(run_pass(shape), 0u);
    const PlanDescription foreseen = enlarged_for(plan_of_texts(), shape);
    EXPECT_EQ(slab_bytes(), height(foreseen, foreseen.variants[0])) << shape.p << " x " << shape.q;
  }
}

TEST(Foreseen, TheLibraryServesUpToTheSameTimesAsHigh) {
  EXPECT_EQ(kMostTimesAsPlanned, runtime::kMostTimesAsHigh);
}

TEST(Foreseen, AShapeThatHasRoomChangesNothing) {
  const PlanDescription plan = plan_of_texts();
  EXPECT_EQ(enlarged_for(plan, kProfiled), plan);
  EXPECT_EQ(enlarged_for(plan, {.p = 1, .q = 1}), plan);
}

// Blocks of two kinds, each of which lives until the next but one is allocated.
PlanDescription plan_of_turns() {
  PlanDescription plan = plan_of_slots({});
  for (std::uint32_t at = 0; at < 6; ++at) {
    const bool is_state = at % 2 == 0;
    const std::vector<std::size_t> sizes = sizes_of(kProfiled);
    const std::uint64_t place = is_state ? 0 : whole_granules(sizes[1]);
    PlanSlotDescription slot = large_slot(at + 1, is_state ? sizes[1] : sizes[3], place);
    slot.formula = is_state ? SizeFormula{.factor = kOfState, .powers = {1, 1}}
                            : SizeFormula{.factor = kOfWeights, .powers = {1, 2}};
    plan.variants[0].slots.push_back(freed_before(slot, std::min<std::uint32_t>(at + 2, 6)));
  }
  plan.variants[0].range = plan_of_texts().variants[0].range;
  return plan;
}

void release_if_served(void* block) {
  if (block == nullptr) return;
  EXPECT_TRUE(runtime::release(block));
}

// Returns how many blocks of a pass were not served.
std::size_t run_turns(const FormulaNumbers& shape) {
  const Pass pass;
  std::vector<void*> blocks = {nullptr, nullptr};
  for (std::size_t at = 0; at < 6; ++at) {
    release_if_served(blocks[at]);
    blocks.push_back(runtime::allocate(sizes_of(shape)[at % 2 == 0 ? 1 : 3], at + 1));
  }
  std::for_each(blocks.end() - 2, blocks.end(), release_if_served);
  return static_cast<std::size_t>(std::count(blocks.begin() + 2, blocks.end(), nullptr));
}

// They share places as before, so that the lane is much lower than the sum of all blocks.
TEST(Foreseen, BlocksThatTakeTurnsStillDoInTheLaneThatGrew) {
  const FormulaNumbers shape{.p = 9, .q = 25};
  serve(plan_of_turns());
  EXPECT_NE(run_turns(shape), 0u);
  EXPECT_EQ(run_turns(shape), 0u);
  const PlanDescription foreseen = enlarged_for(plan_of_turns(), shape);
  EXPECT_EQ(slab_bytes(), height(foreseen, foreseen.variants[0]));
  EXPECT_LT(slab_bytes(), 2 * sizes_of(shape)[1]);
}

// Slots that follow each other in one place are as large as the largest of them.
TEST(Foreseen, ARunStaysInOnePlace) {
  PlanDescription plan =
      plan_of_slots({freed_before(large_slot(1, 64'000, 0), 1), freed_before(large_slot(2, 64'000, 0), 2)});
  plan.variants[0].slots[1].formula = {.factor = 1000, .powers = {1, 1}};
  const PlanDescription larger = enlarged_for(plan, {.p = 10, .q = 10});
  for (const PlanSlotDescription& slot : larger.variants[0].slots) {
    EXPECT_EQ(slot.place, 0u);
    EXPECT_EQ(slot.size, 100'000u + 100'000 / 32);
  }
}

TEST(Foreseen, CellsAreAsLargeAsTheLargestOfTheirSlots) {
  PlanDescription plan =
      plan_of_slots({freed_before(cell_slot(1, 40, 0), 2), freed_before(cell_slot(2, 40, 1), 2)});
  plan.cells = {64, 64};
  plan.variants[0].slots[1].formula = {.factor = 1, .powers = {1, 1}};
  EXPECT_EQ(enlarged_for(plan, {.p = 10, .q = 10}).cells, (std::vector<std::uint64_t>{64, 128}));
}

TEST(Foreseen, StepsOfALineAreCountedExactly) {
  PlanDescription plan =
      plan_of_slots({freed_before(large_slot(1, 64'000, 0), 2), freed_before(large_slot(2, 640, 64'000), 2)});
  plan.variants[0].slots[0].formula = line_from(64'000, 6400);
  const PlanDescription larger = enlarged_for(plan, {.t = 3});
  EXPECT_EQ(height(larger, larger.variants[0]), height(plan, plan.variants[0]) + 3 * 6400u);
}

TEST(Foreseen, AnEndlessShapeHasAHeightThatNoPlanHolds) {
  PlanDescription plan = plan_of_texts();
  plan.variants[0].slots[1].formula.factor = kMaxPlanHeight;
  const PlanDescription larger = enlarged_for(plan, {.p = 4096, .q = 262'144});
  EXPECT_GT(height(larger, larger.variants[0]), kMaxPlanHeight);
}

// ---- what smaller shapes touch ----

// Three blocks of 4 MiB, of which a shape of half the size fills a half each.
TEST(Touched, AreTheHugePagesUnderTheSmallerBlocks) {
  PlanDescription plan = plan_of_slots({});
  for (std::uint64_t at = 0; at < 3; ++at) {
    plan.variants[0].slots.push_back(freed_before(large_slot(at + 1, 4 * kMebi, 4 * kMebi * at), 3));
    plan.variants[0].slots.back().formula = {.factor = 4096, .powers = {1, 1}};
  }
  const auto touched = [&](std::uint64_t q) { return touched_by(plan, plan.variants[0], {.p = 8, .q = q}); };
  EXPECT_EQ(touched(128), lane_memory(height(plan, plan.variants[0])));
  EXPECT_EQ(touched(1), 3 * kHugePage);
  EXPECT_EQ(touched(64), 6 * kHugePage);
}

TEST(Touched, IsAllOfItWhereSizesHaveNoFormula) {
  const PlanDescription plan = plan_of_slots({freed_before(large_slot(1, 9 * kMebi, 0), 1)});
  EXPECT_EQ(touched_by(plan, plan.variants[0], {.p = 1, .q = 1}), lane_memory(9 * kMebi + 64));
}

}  // namespace
}  // namespace memo::planner
