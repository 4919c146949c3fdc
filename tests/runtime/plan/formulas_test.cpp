// Formulas in two numbers: from the requests that do not fit the arena learns which numbers a pass had, and makes room for
// the largest of both before a pass comes that has them together. A formula that lies changes nothing but heights: blocks
// stay apart, and the plan grows as it would without.
#include "runtime/plan/formulas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <random>

#include "runtime/formats/rounding.h"
#include "runtime/plan/loaded_plan.h"
#include "runtime/platform/limits.h"
#include "runtime/serving/figures.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/slab/region.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;
using planner::SizeFormula;

struct Shape {
  std::uint64_t batch;
  std::uint64_t length;
  friend bool operator==(const Shape&, const Shape&) = default;
};

// ---- the numbers of a pass ----

constexpr PlanFormula kState{
    .variant = 0, .slot = 0, .base = 64, .factor = 1024, .rounding = 0, .powers = {1, 1}};
constexpr PlanFormula kWeights{
    .variant = 0, .slot = 1, .base = 0, .factor = 100, .rounding = 63, .powers = {1, 2}};
constexpr PlanFormula kMask{.variant = 0, .slot = 2, .base = 0, .factor = 8, .rounding = 0, .powers = {0, 1}};
constexpr PlanFormula kVague{
    .variant = 0, .slot = 3, .base = 0, .factor = 8, .rounding = 8, .powers = {1, 0}};

std::uint64_t size_of(const PlanFormula& formula, const Shape& shape) {
  return size_for(formula, {.p = shape.batch, .q = shape.length, .t = 0}) - formula.rounding;
}

// What is known of a variant that has room for the planned shape, and no more.
void fill_in(Formulas& formulas, std::span<const PlanFormula> all, const Shape& planned) {
  formulas.all = all;
  formulas.planned = {.p = planned.batch, .q = planned.length, .t = 0};
  formulas.p = planned.batch;
  formulas.q = planned.length;
  for (const PlanFormula& formula : all)
    formulas.fits[kind_of(formula)] = product_of(kind_of(formula), formulas.planned);
}

// Returns the numbers that a pass of this shape is found to have had.
Shape found(const std::vector<PlanFormula>& all, const Shape& planned, const Shape& had, int times = 2) {
  Formulas formulas{};
  fill_in(formulas, all, planned);
  ToldProducts told{};
  for (const PlanFormula& formula : all)
    if (product_of(kind_of(formula), {.p = had.batch, .q = had.length, .t = 0}) >
        formulas.fits[kind_of(formula)])
      for (int time = 0; time < times; ++time) told.add(formula, size_of(formula, had));
  const Numbers numbers = told.explain(formulas);
  return {numbers.p, numbers.q};
}

TEST(Formulas, TwoProductsTellBothNumbers) {
  EXPECT_EQ(found({kState, kWeights}, {8, 16}, {16, 16}), (Shape{16, 16}));
  EXPECT_EQ(found({kState, kWeights}, {8, 16}, {5, 61}), (Shape{5, 61}));
}

// 8 · 32² is 32 · 16² as well, and 2 · 64²; but 32 · 16 would not have fitted, and 64 is farther than needed.
TEST(Formulas, OfSeveralNumbersThoseCountThatOtherRequestsLeavePossible) {
  EXPECT_EQ(found({kState, kWeights}, {16, 16}, {8, 32}), (Shape{8, 32}));
}

TEST(Formulas, ANumberThatNothingDependsOnIsLeftAtOne) {
  EXPECT_EQ(found({kMask}, {8, 16}, {8, 30}), (Shape{1, 30}));
}

TEST(Formulas, ASizeThatRoundingHidesTellsNothing) {
  EXPECT_FALSE(tells_product(kVague));
  EXPECT_EQ(found({kVague}, {8, 16}, {16, 16}), (Shape{0, 0}));
}

TEST(Formulas, ASingleRequestProvesNoShape) {
  EXPECT_EQ(found({kMask}, {8, 16}, {8, 30}, 1), (Shape{0, 0}));
}

TEST(Formulas, MoreThanFourTimesThePlannedNumberIsNone) {
  EXPECT_EQ(found({kState, kWeights}, {8, 16}, {32, 64}), (Shape{32, 64}));
  EXPECT_EQ(found({kState, kWeights}, {8, 16}, {33, 16}), (Shape{0, 0}));
  EXPECT_EQ(found({kState, kWeights}, {8, 16}, {8, 65}), (Shape{0, 0}));
}

TEST(Formulas, ProductsThatContradictEachOtherExplainNothing) {
  const PlanFormula all[] = {kState, kWeights};
  Formulas formulas{};
  fill_in(formulas, all, {8, 16});
  ToldProducts told{};
  told.add(kState, size_of(kState, {16, 16}));
  told.add(kWeights, size_of(kWeights, {16, 17}));
  EXPECT_EQ(told.explain(formulas).p, 0u);
}

TEST(Formulas, RequestsOnNoFormulaOutweighOthersOnlyIfTheyAreMore) {
  const PlanFormula all[] = {kState, kWeights};
  Formulas formulas{};
  fill_in(formulas, all, {8, 16});
  ToldProducts told{};
  told.add(kState, size_of(kState, {16, 16}));
  told.add(kWeights, size_of(kWeights, {16, 16}));
  told.add(kState, size_of(kState, {16, 16}) + 1);
  told.add(kWeights, size_of(kWeights, {16, 16}) + 64);
  EXPECT_EQ(told.explain(formulas).p, 16u);
  told.add(kState, 3);
  EXPECT_EQ(told.explain(formulas).p, 0u);
}

// A loop makes its block larger in each iteration; the last counts.
TEST(Formulas, TheLargestProductOfAKindCounts) {
  const PlanFormula all[] = {kMask};
  Formulas formulas{};
  fill_in(formulas, all, {8, 16});
  ToldProducts told{};
  for (std::uint64_t length = 17; length <= 30; ++length) told.add(kMask, size_of(kMask, {1, length}));
  told.add(kMask, size_of(kMask, {1, 30}));
  EXPECT_EQ(told.explain(formulas).q, 30u);
}

RC_GTEST_PROP(Formulas, WhateverWasToldTheNumbersExplainIt, ()) {
  std::vector<PlanFormula> all;
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 9);
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    const auto kind = *rc::gen::inRange<std::uint16_t>(1, kProductKinds);
    all.push_back({.variant = 0,
                   .slot = slot,
                   .base = *rc::gen::inRange<std::uint64_t>(0, 100),
                   .factor = *rc::gen::inRange<std::uint64_t>(1, 500),
                   .rounding = 0,
                   .powers = {static_cast<std::uint8_t>(kind / kPowers),
                              static_cast<std::uint8_t>(kind % kPowers), 0}});
  }
  const Shape planned{*rc::gen::inRange<std::uint64_t>(1, 16), *rc::gen::inRange<std::uint64_t>(1, 50)};
  const Shape had{*rc::gen::inRange<std::uint64_t>(1, 4 * planned.batch + 1),
                  *rc::gen::inRange<std::uint64_t>(1, 4 * planned.length + 1)};
  const Shape is = found(all, planned, had);
  bool outgrown = false;
  for (const PlanFormula& formula : all) {
    const std::uint64_t fits =
        product_of(kind_of(formula), {.p = planned.batch, .q = planned.length, .t = 0});
    const std::uint64_t wanted = product_of(kind_of(formula), {.p = had.batch, .q = had.length, .t = 0});
    outgrown = outgrown || wanted > fits;
    if (wanted > fits)
      RC_ASSERT(product_of(kind_of(formula), {.p = is.batch, .q = is.length, .t = 0}) == wanted);
  }
  RC_ASSERT(outgrown == (is.batch != 0));
}

TEST(Formulas, SizesThatNoPlanHoldsAreSaidToBeThat) {
  const Numbers huge{.p = 4 * kMaxFormulaNumbers[0], .q = 4 * kMaxFormulaNumbers[1], .t = 0};
  const PlanFormula steep{.base = kMaxPlanHeight, .factor = kMaxPlanHeight, .rounding = 64, .powers = {2, 2}};
  EXPECT_EQ(size_for(steep, huge), kNoPlanHoldsIt);
  EXPECT_EQ(product_of(kind_of(steep), huge), std::uint64_t{1} << 60);
}

// ---- plans that grow ----

constexpr std::uint64_t kOfState = 1024;  // bytes for each unit of batch · length
constexpr std::uint64_t kOfWeights = 4;   // of batch · length²
constexpr std::size_t kConstant = 300'000;
constexpr Shape kProfiled{8, 16};

std::vector<std::pair<std::size_t, std::uint64_t>> requests_of(const Shape& shape) {
  const std::size_t state = kOfState * shape.batch * shape.length;
  const std::size_t weights = kOfWeights * shape.batch * shape.length * shape.length;
  return {{40, 1}, {state, 2}, {state, 3}, {weights, 4}, {weights, 5}, {kConstant, 6}};
}

// All blocks live to the end, one above the other.
PlanDescription plan_without_formulas(const Shape& shape = kProfiled) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  PlanVariantDescription& variant = plan.variants.emplace_back();
  variant.range = {.least = 1, .most = 2, .alone = 1, .varying = {{1, shape.batch}, {1, shape.length}}};
  variant.slots.push_back(cell_slot(1, 40, 0));
  std::uint64_t top = 0;
  for (const auto& [size, site] : requests_of(shape)) {
    if (site == 1) continue;
    variant.slots.push_back(large_slot(site, size, top));
    top += whole_granules(size);
  }
  for (PlanSlotDescription& slot : variant.slots)
    slot.freed_at = static_cast<std::uint32_t>(variant.slots.size());
  return plan;
}

PlanDescription plan_of_texts(const Shape& shape = kProfiled) {
  PlanDescription plan = plan_without_formulas(shape);
  auto& slots = plan.variants[0].slots;
  slots[1].formula = slots[2].formula = {.factor = kOfState, .powers = {1, 1}};
  slots[3].formula = slots[4].formula = {.factor = kOfWeights, .powers = {1, 2}};
  return plan;
}

// Returns how many blocks of a pass were not served.
std::size_t run_pass(const Shape& shape) {
  std::size_t missed = 0;
  Shadow shadow;
  std::vector<void*> blocks;
  const Pass pass;
  for (const auto& [size, site] : requests_of(shape)) {
    void* block = allocate(size, site);
    if (block == nullptr) {
      ++missed;
      continue;
    }
    shadow.born(block, size);
    blocks.push_back(block);
  }
  for (void* block : blocks) EXPECT_TRUE(release(block));
  return missed;
}

// Returns how often the plan grew for passes of these shapes, and what each of them missed.
struct Course {
  std::uint64_t growths;
  std::vector<std::size_t> missed;
  std::uint64_t slab_bytes;
};
Course course_of(const PlanDescription& plan, const std::vector<Shape>& shapes) {
  serve(plan);
  const std::uint64_t grown = statistics().plans_grown;
  Course course{};
  for (const Shape& shape : shapes) course.missed.push_back(run_pass(shape));
  run_pass({1, 1});  // the growth for the last of them comes with the next pass
  course.growths = statistics().plans_grown - grown;
  LiveGauges figures;
  look_at_serving(&figures);
  course.slab_bytes = figures.slab_bytes;
  return course;
}

void expect_same(const Course& a, const Course& b) {
  EXPECT_EQ(a.growths, b.growths);
  EXPECT_EQ(a.missed, b.missed);
  EXPECT_EQ(a.slab_bytes, b.slab_bytes);
}

const std::vector<Shape> kToTheCorner = {{8, 16}, {16, 16}, {8, 32}, {16, 32}};

TEST(Foreseen, TheLargestBatchWithTheLargestLengthNeedsNoGrowthOfItsOwn) {
  const Course with = course_of(plan_of_texts(), kToTheCorner);
  EXPECT_EQ(with.missed, (std::vector<std::size_t>{0, 4, 2, 0}));
  EXPECT_EQ(with.growths, 2u);
  const Course without = course_of(plan_without_formulas(), kToTheCorner);
  EXPECT_EQ(without.missed, (std::vector<std::size_t>{0, 4, 2, 4}));
  EXPECT_EQ(without.growths, 3u);
}

// The profile had the largest batch and the largest length in different shapes: what they make together is foreseen as soon
// as the plan grows at all.
TEST(Foreseen, TheCornerOfTheProfileIsToo) {
  PlanDescription plan = plan_of_texts();
  for (PlanSlotDescription& slot : plan.variants[0].slots)
    if (slot.formula.exists()) slot.size = whole_granules(slot.size * 3 / 4);
  EXPECT_EQ(course_of(plan, {{16, 12}, {16, 16}}).missed, (std::vector<std::size_t>{4, 0}));
}

// Servers bound batch times length: the corner of what came never comes.
TEST(Foreseen, ACornerMoreThanTwiceAsHighAsWhatCameIsNot) {
  const std::vector<Shape> opposite = {{8, 16}, {16, 18}, {6, 48}, {8, 16}};
  expect_same(course_of(plan_of_texts(), opposite), course_of(plan_without_formulas(), opposite));
}

// All pages of such lanes are there before a pass runs: none that no pass asked for.
TEST(Foreseen, NothingIsWhereLanesHaveAllTheirPages) {
  set_lanes(1);
  const Course with = course_of(plan_of_texts(), kToTheCorner);
  const Course without = course_of(plan_without_formulas(), kToTheCorner);
  set_lanes(0);
  expect_same(with, without);
}

TEST(Foreseen, NothingIsThatTheBudgetHasNoRoomFor) {
  const std::uint64_t seen = course_of(plan_without_formulas(), {{8, 16}, {16, 16}, {8, 32}}).slab_bytes;
  const std::uint64_t foreseen = course_of(plan_of_texts(), {{8, 16}, {16, 16}, {8, 32}}).slab_bytes;
  ASSERT_GT(foreseen, seen);
  ASSERT_TRUE(try_to_serve(plan_of_texts()));
  EXPECT_EQ(run_pass(kProfiled), 0u);
  set_memory_budget((seen + foreseen) / 2);
  const std::uint64_t refused = statistics().plans_refused;
  EXPECT_EQ(run_pass({16, 16}), 4u);
  EXPECT_EQ(run_pass({8, 32}), 2u);
  EXPECT_EQ(run_pass({8, 32}), 0u);
  EXPECT_EQ(run_pass({16, 32}), 4u);
  EXPECT_EQ(statistics().plans_refused, refused);
  set_memory_budget(kNoLimit);
}

// ---- formulas that lie ----

void expect_no_difference(const std::function<void(SizeFormula&)>& lie) {
  PlanDescription plan = plan_of_texts();
  for (PlanSlotDescription& slot : plan.variants[0].slots)
    if (slot.formula.exists()) lie(slot.formula);
  expect_same(course_of(plan, kToTheCorner), course_of(plan_without_formulas(), kToTheCorner));
}

TEST(LyingFormulas, OfSizesThatNoPlanHoldsChangeNothing) {
  expect_no_difference([](SizeFormula& formula) { formula.factor = kMaxPlanHeight; });
  expect_no_difference([](SizeFormula& formula) { formula.base = kMaxPlanHeight; });
}

TEST(LyingFormulas, OfSizesFarAboveWhatComesChangeNothing) {
  expect_no_difference([](SizeFormula& formula) { formula.powers = {2, 2}; });
}

TEST(LyingFormulas, OfSizesBelowWhatComesChangeNothing) {
  expect_no_difference([](SizeFormula& formula) { formula = {.factor = 1, .powers = {1, 0}}; });
}

// Returns true if large slots that live at the same time share no byte, and lie in the lane.
bool have_places_apart(const LoadedPlan& plan) {
  const Variant& variant = plan.variants[0];
  const auto begin = [&](std::uint32_t slot) { return variant.hot[slot].granule * std::uint64_t{kGranule}; };
  const auto end = [&](std::uint32_t slot) { return begin(slot) + variant.slots[slot].size; };
  for (std::uint32_t b = 0; b < variant.slot_count; ++b) {
    if (variant.slots[b].zone != PlanZone::kLarge) continue;
    if (begin(b) < plan.large_start || end(b) > plan.lane_bytes) return false;
    for (std::uint32_t a = 0; a < b; ++a) {
      if (variant.slots[a].zone != PlanZone::kLarge || variant.slots[a].freed_at <= b) continue;
      if (begin(a) < end(b) && begin(b) < end(a)) return false;
    }
  }
  return true;
}

SizeFormula any_formula() {
  return {.base = *rc::gen::element<std::uint64_t>(0, 1, 1000, kMaxPlanHeight),
          .factor = *rc::gen::element<std::uint64_t>(1, 64, 1024, 100'000, kMaxPlanHeight),
          .rounding = *rc::gen::inRange<std::uint32_t>(0, kMaxFormulaRounding + 1),
          .powers = {*rc::gen::inRange<std::uint32_t>(0, 3), *rc::gen::inRange<std::uint32_t>(1, 3)}};
}

// Whatever formulas say, blocks that live at the same time lie apart, and every slot is as large as before.
RC_GTEST_PROP(LyingFormulas, LeavePlacesSound, ()) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64};
  PlanVariantDescription& variant = plan.variants.emplace_back();
  variant.range.varying = {{1, *rc::gen::inRange<std::uint64_t>(1, 1025)},
                           {1, *rc::gen::inRange<std::uint64_t>(1, 65537)}};
  const auto count = *rc::gen::inRange<std::uint32_t>(2, 40);
  std::uint64_t top = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto size = *rc::gen::inRange<std::uint64_t>(1, 100'000);
    PlanSlotDescription slot = i % 5 == 0 ? cell_slot(1, 1 + size % 64, i / 5 % 2) : large_slot(2, size, top);
    if (slot.zone == PlanZone::kLarge) top += whole_granules(size);
    slot.freed_at = i + *rc::gen::inRange<std::uint32_t>(1, count - i + 1);
    if (*rc::gen::arbitrary<bool>()) slot.formula = any_formula();
    variant.slots.push_back(slot);
  }
  const std::vector<unsigned char> bytes = planner::encode_plan(plan);
  PlanFile file{};
  RC_ASSERT(copy_plan({bytes.data(), bytes.size()}, &file));
  LoadedPlan* before = make_ready(file, 1);
  Variant& loaded = before->variants[0];
  for (std::uint32_t slot = 0; slot < count; ++slot)
    raise(loaded.seen[slot], loaded.slots[slot].size + loaded.slots[slot].size / 2);
  loaded.state.set(GrowthState::kWantsLargerSlots);
  PlanFile copy{};
  RC_ASSERT(copy_plan({bytes.data(), bytes.size()}, &copy));
  enlarge_slots(*before, copy);
  static_cast<void>(foresee_slots(*before, copy));
  LoadedPlan* after = make_ready(copy, 1, before);
  if (after != nullptr) {
    RC_ASSERT(after->lane_bytes <= kMostTimesAsHigh * file.variants()[0].height);
    for (std::uint32_t i = 0; i < count; ++i)
      RC_ASSERT(after->variants[0].slots[i].size >= variant.slots[i].size);
    RC_ASSERT(have_places_apart(*after));
    discard(after);
  }
  discard(before);
}

// ---- what they are worth ----

// The profile saw batches up to 8 and lengths up to 16; later come up to 12 and 24.
std::uint64_t growths_of(const PlanDescription& plan, unsigned seed) {
  std::mt19937 dice(seed);
  std::vector<Shape> shapes;
  for (int pass = 0; pass < 300; ++pass) shapes.push_back({1 + dice() % 12, 8 + dice() % 17});
  return course_of(plan, shapes).growths;
}

TEST(Foreseen, RandomShapesNeedFewerGrowths) {
  std::uint64_t with = 0;
  std::uint64_t without = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    with += growths_of(plan_of_texts(), seed);
    without += growths_of(plan_without_formulas(), seed);
  }
  std::printf("growths in 20 runs of 300 random shapes: %llu with formulas, %llu without\n",
              static_cast<unsigned long long>(with), static_cast<unsigned long long>(without));
  EXPECT_LT(with, without);
}

}  // namespace
}  // namespace memo::runtime
