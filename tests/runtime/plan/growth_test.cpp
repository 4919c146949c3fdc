// Plans that grow: at any value of the parameter they are sound by a checker that knows nothing of how places are worked
// out, and about as low as a plan made for that value; and the arena makes them grow when passes of a larger shape come,
// by what these ask for and by nothing else.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "planner/check/check.h"
#include "planner/layout/plan_variants.h"
#include "planner/plan/plan_description.h"
#include "planner/registry/registry.h"
#include "runtime/plan/growth.h"
#include "runtime/plan/wishes.h"
#include "runtime/serving/figures.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;
using planner::Demand;
using planner::Variant;
using planner::Variants;

// ---- places at a parameter ----

planner::PlannedVariants plan_of(std::vector<Demand> demands, std::vector<planner::VariantLoop> loops = {}) {
  Variants variants;
  variants.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  variants.variants = {{.pass_name = "forward",
                        .runs = 2,
                        .shapes = 2,
                        .demands = std::move(demands),
                        .loops = std::move(loops)}};
  return planner::plan_variants(variants, *planner::find_strategy("strip-packing"), {});
}

// A plan made ready at t, and given back at the end.
class ReadyPlan {
 public:
  ReadyPlan(const PlanDescription& plan, std::uint64_t t)
      : description_(plan.variants[0]), bytes_(planner::encode_plan(plan)) {
    LoadedPlan* before = make_ready(copy(), 1);
    raise(before->variants[0].formulas.t, t);
    const PlanFile larger = copy();
    enlarge_slots(*before, larger);
    plan_ = make_ready(larger, 1, before);
    discard(before);
  }
  ~ReadyPlan() {
    if (plan_ != nullptr) discard(plan_);
  }
  ReadyPlan(const ReadyPlan&) = delete;
  ReadyPlan& operator=(const ReadyPlan&) = delete;

  [[nodiscard]] const LoadedPlan* operator->() const { return plan_; }
  [[nodiscard]] bool possible() const { return plan_ != nullptr; }

  // Returns what overlaps in time and place, or is not where its alignment wants it; "" for nothing.
  [[nodiscard]] std::string fault(std::uint64_t t) const {
    planner::Problem problem;
    planner::Offsets offsets;
    const runtime::Variant& variant = plan_->variants[0];
    for (std::uint32_t i = 0; i < variant.slot_count; ++i) {
      const PlanSlotDescription& slot = description_.slots[i];
      const SlotLife life = planner::life_of(description_, i);
      problem.buffers.push_back({.life = {life.begin, life.end},
                                 .size = static_cast<planner::Bytes>(slot.size + slot.formula.growth() * t),
                                 .alignment = static_cast<planner::Bytes>(slot.alignment)});
      offsets.push_back(static_cast<planner::Offset>(variant.hot[i].granule) * kGranule);
    }
    problem.capacity = static_cast<planner::Bytes>(plan_->lane_bytes);
    return planner::check_by_sweep(problem, offsets).sentence;
  }

 private:
  PlanFile copy() {
    PlanFile file{};
    EXPECT_TRUE(copy_plan({bytes_.data(), bytes_.size()}, &file));
    return file;
  }
  PlanVariantDescription description_;
  std::vector<unsigned char> bytes_;
  LoadedPlan* plan_ = nullptr;
};

Demand demand(planner::Time begin, planner::Time end, planner::Bytes size, planner::Bytes growth,
              planner::Bytes alignment = 16) {
  return {.size = size,
          .alignment = alignment,
          .life = {begin, end},
          .site = {.module = 0, .offset = 0x40},
          .growth = growth};
}

// Now and then repeats the demand before, which lives for one allocation, so that there are runs of some that share a place.
void sometimes_repeat(std::vector<Demand>& demands) {
  if (!*rc::gen::weightedElement<bool>({{1, false}, {1, true}})) return;
  const auto at = static_cast<planner::Time>(demands.size());
  demands.push_back(demands.back());
  demands.back().life = {at, at + 1};
}

RC_GTEST_PROP(PlacesAtAParameter, AreSoundWhateverGrows, ()) {
  const auto count = *rc::gen::inRange<planner::Time>(1, 60);
  std::vector<Demand> demands;
  while (demands.size() < static_cast<std::size_t>(count)) {
    const auto i = static_cast<planner::Time>(demands.size());
    const auto length = *rc::gen::inRange<planner::Time>(1, count - i + 1);
    const auto size = *rc::gen::oneOf(rc::gen::inRange<planner::Bytes>(1, 300),
                                      rc::gen::inRange<planner::Bytes>(1, 100000));
    const auto growth = *rc::gen::element<planner::Bytes>(0, 0, 1, 7, 64, 1000);
    demands.push_back(demand(i, i + length, size, growth, planner::Bytes{1} << *rc::gen::inRange(0, 13)));
    for (int repeats = 0; repeats < 3; ++repeats) sometimes_repeat(demands);
  }
  const PlanDescription plan = plan_of(demands).plan;
  for (const std::uint64_t t : {0u, 1u, 63u, 1000u}) {
    const ReadyPlan ready(plan, t);
    RC_ASSERT(ready.possible());
    RC_ASSERT(ready.fault(t) == "");
  }
}

// Of what a loop makes some is freed in its iteration, some lives as long as the loop, and some goes on behind it.
RC_GTEST_PROP(PlacesAtAParameter, AreSoundWhateverGrowsInALoop, ()) {
  const auto before = *rc::gen::inRange<std::uint32_t>(0, 5);
  const auto body = *rc::gen::inRange<std::uint32_t>(1, 10);
  const auto period = *rc::gen::inRange<std::uint32_t>(1, 4);
  const auto behind = *rc::gen::inRange<std::uint32_t>(0, 5);
  const planner::VariantLoop loop{.first_demand = before, .demands = body, .period = period};
  const planner::Time all = loop.end() + behind;
  std::vector<Demand> demands;
  for (planner::Time i = 0; i < all; ++i) {
    const auto size = *rc::gen::oneOf(rc::gen::inRange<planner::Bytes>(1, 300),
                                      rc::gen::inRange<planner::Bytes>(1, 100000));
    const auto growth = *rc::gen::element<planner::Bytes>(0, 1, 64, 1000);
    demands.push_back(demand(i, *rc::gen::inRange<planner::Time>(i + 1, all + 1), size, growth));
    if (i < loop.begin() || i >= loop.end()) continue;
    if (demands.back().life.end > loop.end() || *rc::gen::arbitrary<bool>())
      demands.back().life = {loop.begin(), std::max(loop.end(), demands.back().life.end)};
  }
  const PlanDescription plan = plan_of(demands, {loop}).plan;
  for (const std::uint64_t t : {0u, 1u, 64u, 1024u}) {
    const ReadyPlan ready(plan, t);
    RC_ASSERT(ready.possible());
    RC_ASSERT(ready.fault(t) == "");
  }
}

// Convolutions one behind the other, some with a branch beside them: outputs that grow with the batch, a workspace that
// does not, a few small blocks.
std::vector<Demand> network(std::uint32_t seed, planner::Bytes batch) {
  std::mt19937 dice(seed);
  std::vector<Demand> demands;
  const planner::Time layers = 40;
  for (planner::Time layer = 0; layer < layers; ++layer) {
    const planner::Time at = 3 * layer;
    const planner::Bytes image = 4096 * (1 + static_cast<planner::Bytes>(dice() % 64));
    const planner::Time lives = dice() % 4 == 0 ? 6 + 3 * static_cast<planner::Time>(dice() % 4) : 4;
    demands.push_back(demand(at, std::min(at + lives, 3 * layers), image * batch, image));
    demands.push_back(demand(at + 1, at + 3, 40 * batch, 40));
    demands.push_back(demand(at + 2, at + 3, dice() % 3 == 0 ? 300000 : 3000, 0));
  }
  return demands;
}

TEST(PlacesAtAParameter, AreAsLowAsThoseOfAPlanMadeForIt) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const PlanDescription plan = plan_of(network(seed, 8)).plan;
    for (const std::uint64_t beyond : {1u, 4u, 8u, 24u}) {
      const ReadyPlan ready(plan, beyond);
      ASSERT_EQ(ready.fault(beyond), "");
      const auto afresh = plan_of(network(seed, 8 + static_cast<planner::Bytes>(beyond))).reports[0].height;
      EXPECT_LE(static_cast<double>(ready->lane_bytes), 1.02 * static_cast<double>(afresh))
          << seed << " " << beyond;
    }
  }
}

TEST(PlacesAtAParameter, AtNoneAreThoseOfTheFile) {
  const PlanDescription plan = plan_of(network(1, 8)).plan;
  const ReadyPlan ready(plan, 0);
  EXPECT_EQ(ready->lane_bytes, planner::height(plan, plan.variants[0]));
  for (std::size_t i = 0; i < plan.variants[0].slots.size(); ++i) {
    const PlanSlotDescription& slot = plan.variants[0].slots[i];
    if (slot.zone != PlanZone::kLarge) continue;
    EXPECT_EQ(ready->variants[0].hot[i].granule * std::uint64_t{kGranule},
              planner::large_start(plan) + slot.place);
  }
}

// Both are in one place, one after the other, and stay there: at the size of the larger. The plan is still laid out for t, and not
// for as many steps as the first one has room for.
TEST(PlacesAtAParameter, OfSlotsThatGoOnInOnePlaceAreAsLargeAsTheLargest) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {large_slot(1, 8192, 0, 1), large_slot(2, 8192, 0, 2)}}};
  plan.variants[0].slots[0].formula = planner::line_from(8192, 64);
  plan.variants[0].slots[1].formula = planner::line_from(8192, 640);
  const ReadyPlan ready(plan, 10);
  EXPECT_EQ(ready->variants[0].large_count, 1U);
  EXPECT_EQ(ready->variants[0].slots[0].size, 8192U + 6400);
  EXPECT_EQ(ready->variants[0].formulas.planned.t, 10U);
  EXPECT_TRUE(is_on_line(ready->variants[0], 0, 8192 + 64));
  EXPECT_FALSE(is_on_line(ready->variants[0], 1, 8192 + 64));
}

TEST(PlacesAtAParameter, BeyondWhatAPlanCanHoldThereAreNone) {
  const PlanDescription plan = plan_of({demand(0, 1, 1 << 20, 1 << 20), demand(1, 2, 100, 8)}).plan;
  for (const std::uint64_t t : {std::uint64_t{1} << 18, std::uint64_t{1} << 37, ~std::uint64_t{0}})
    EXPECT_FALSE(ReadyPlan(plan, t).possible()) << t;
}

TEST(PlacesAtAParameter, OfCellsEndWhereCellsDo) {
  const PlanDescription plan = plan_of({demand(0, 2, 100, 1 << 10), demand(1, 2, 100, 0)}).plan;
  const ReadyPlan ready(plan, 1 << 20);
  ASSERT_TRUE(ready.possible());
  EXPECT_EQ(ready->variants[0].hot[0].bytes, kMaxCellBytes);
}

// ---- what makes a plan grow ----

constexpr std::uint64_t kStep = 512;  // what the slots below grow by, or twice that

PlanDescription growing_plan() {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 128};
  plan.variants = {{.slots = {cell_slot(1, 40, 0), large_slot(2, 8192, 0), large_slot(3, 4096, 8192),
                              cell_slot(4, 100, 1)}}};
  auto& slots = plan.variants[0].slots;
  slots[1].formula = planner::line_from(8192, kStep);
  slots[2].formula = planner::line_from(4096, 2 * kStep);
  for (PlanSlotDescription& slot : slots) slot.freed_at = 4;
  return plan;
}

// Runs a pass and frees the blocks at its end. Returns how many it was served.
std::size_t run_pass(const std::vector<std::pair<std::size_t, std::uint64_t>>& requests) {
  std::vector<void*> blocks;
  Shadow shadow;
  Pass pass;
  for (const auto& [size, site] : requests) {
    void* block = allocate(size, site);
    if (block == nullptr) continue;
    shadow.born(block, size);
    blocks.push_back(block);
  }
  for (void* block : blocks) EXPECT_TRUE(release(block));
  return blocks.size();
}

std::size_t run_shape(std::uint64_t t) {
  return run_pass({{40, 1}, {8192 + kStep * t, 2}, {4096 + 2 * kStep * t, 3}, {100, 4}});
}

std::uint64_t slab_bytes() {
  LiveGauges figures;
  look_at_serving(&figures);
  return figures.slab_bytes;
}

TEST(Growth, ALargerShapeIsServedFromItsSecondPassOn) {
  serve(growing_plan());
  const std::uint64_t grown = statistics().plans_grown;
  EXPECT_EQ(run_shape(0), 4u);
  EXPECT_EQ(run_shape(7), 2u);
  EXPECT_EQ(run_shape(7), 4u);
  EXPECT_EQ(run_shape(3), 4u);
  EXPECT_EQ(statistics().plans_grown - grown, 1u);
  EXPECT_EQ(slab_bytes(), 192u + 8192 + 7 * kStep + 4096 + 14 * kStep);
}

TEST(Growth, BlocksOfTheSmallerPlanOutliveIt) {
  serve(growing_plan());
  void* kept = nullptr;
  {
    Pass pass;
    EXPECT_TRUE(release(allocate(40, 1)));
    kept = allocate(8192, 2);
    ASSERT_NE(kept, nullptr);
  }
  run_shape(2);
  EXPECT_EQ(run_shape(2), 4u);
  EXPECT_EQ(usable_size(kept), 8192u);
  EXPECT_TRUE(release(kept));
  const std::uint64_t before = slab_bytes();
  EXPECT_TRUE(comes_true([&] {
    run_shape(0);
    return slab_bytes() < before;
  })) << "the old lane keeps its memory";
}

TEST(Growth, WhatIsNotOnTheLineMakesNothingGrow) {
  serve(growing_plan());
  const std::uint64_t grown = statistics().plans_grown;
  run_pass({{40, 1}, {8192 + kStep, 2}, {4096 + 2 * kStep + 8, 3}});
  run_pass({{40, 1}, {8192, 2}, {4096, 3}, {500, 4}});
  run_shape(0);
  EXPECT_EQ(statistics().plans_grown, grown);
}

// The passes are like those in which a JIT compiles: some of their many requests happen to lie on the line.
TEST(Growth, APassThatThePlanHardlyKnowsMakesNothingGrow) {
  serve(growing_plan());
  const std::uint64_t grown = statistics().plans_grown;
  std::vector<std::pair<std::size_t, std::uint64_t>> requests = {
      {40, 1}, {8192 + kStep, 2}, {4096 + 2 * kStep, 3}};
  requests.insert(requests.end(), 10, {100, 99});
  run_pass(requests);
  run_shape(0);
  EXPECT_EQ(statistics().plans_grown, grown);
}

TEST(Growth, ASingleHugeRequestCountsNoMoreThanTheOthers) {
  serve(growing_plan());
  run_pass({{40, 1}, {8192 + 1000000 * kStep, 2}, {4096 + 2 * kStep * 3, 3}});
  EXPECT_EQ(run_shape(3), 4u);
  EXPECT_EQ(slab_bytes(), 192u + 8192 + 3 * kStep + 4096 + 6 * kStep);
}

// Each iteration of a loop wants a little more than the one before. What a pass asks for at a wrong place is far beyond.
TEST(Growth, OfALoopIsWhatItsIterationsRiseTo) {
  const PlanFormula line{.base = 1000, .factor = 10, .powers = {0, 0, 1}};
  const auto risen = [&line](const std::vector<std::uint64_t>& wanted) {
    WantedGrowth growth{};
    for (const std::uint64_t t : wanted) growth.add(line, line.base + t * line.factor);
    return growth.risen();
  };
  EXPECT_EQ(risen({1, 1, 2, 2, 3, 3, 4}), 4U);
  EXPECT_EQ(risen({30, 30, 31, 31, 32}), 32U);
  EXPECT_EQ(risen({6000, 6000, 6000, 6000}), 0U);
  EXPECT_EQ(risen({1, 2, 3, 6000, 6000, 4, 5}), 5U);
  EXPECT_EQ(risen({6000, 1, 2}), 2U);
}

TEST(Growth, WhatCannotBeHadIsAskedForOnceAndLessOfItStillGranted) {
  serve(growing_plan());
  const std::uint64_t refused = statistics().plans_refused;
  for (int pass = 0; pass < 3; ++pass) run_shape(std::uint64_t{1} << 29);
  EXPECT_EQ(statistics().plans_refused - refused, 1u);
  run_shape(5);
  EXPECT_EQ(run_shape(5), 4u);
  EXPECT_EQ(statistics().plans_refused - refused, 1u);
}

// ---- sizes that depend on no parameter ----

// Text of any batch and length: no formula, only the sizes that came.
PlanDescription plan_without_parameter() {
  PlanDescription plan = growing_plan();
  for (PlanSlotDescription& slot : plan.variants[0].slots) slot.formula = {};
  return plan;
}

TEST(Outgrown, AFactorAboveTwoNeedsAnotherSlot) {
  ConfirmedFactor factor;
  factor.add(1000, 1500);
  EXPECT_EQ(factor.most(), 2U);
  factor.add(1000, 15'500);
  EXPECT_EQ(factor.most(), 4U);  // twice what the other slot shows
  factor.add(1000, 9'500);
  EXPECT_EQ(factor.most(), 16U);
}

TEST(Outgrown, SlotsAreLaidOutAnewForAllThatThePassAskedFor) {
  serve(plan_without_parameter());
  const std::uint64_t grown = statistics().plans_grown;
  const std::vector<std::pair<std::size_t, std::uint64_t>> larger = {
      {40, 1}, {12345, 2}, {6001, 3}, {300, 4}};
  EXPECT_EQ(run_pass(larger), 1u);
  EXPECT_EQ(run_pass(larger), 4u);
  EXPECT_EQ(run_shape(0), 4u);
  EXPECT_EQ(statistics().plans_grown - grown, 1u);
  EXPECT_EQ(slab_bytes(), 64u + 320 + 12736 + 6208);
  const std::vector<std::pair<std::size_t, std::uint64_t>> longer = {{40, 1}, {9000, 2}, {7000, 3}, {400, 4}};
  EXPECT_EQ(run_pass(longer), 2u);
  EXPECT_EQ(run_pass(longer), 4u);
  EXPECT_EQ(run_pass(larger), 4u);  // the larger of both, slot by slot
}

TEST(Outgrown, ASingleRequestProvesNoShape) {
  serve(plan_without_parameter());
  const std::uint64_t grown = statistics().plans_grown;
  run_pass({{40, 1}, {12345, 2}, {4096, 3}, {100, 4}});
  run_shape(0);
  EXPECT_EQ(statistics().plans_grown, grown);
}

TEST(Outgrown, ASingleHugeRequestAtMostDoublesWhatTheOthersConfirm) {
  serve(plan_without_parameter());
  run_pass({{40, 1}, {std::size_t{1} << 30, 2}, {5000, 3}, {100, 4}});
  run_shape(0);
  EXPECT_LE(slab_bytes(), 192u + 4 * 8192 + 5632);
}

TEST(Outgrown, APassThatThePlanHardlyKnowsMakesNothingGrow) {
  serve(plan_without_parameter());
  const std::uint64_t grown = statistics().plans_grown;
  std::vector<std::pair<std::size_t, std::uint64_t>> requests = {{40, 1}, {12345, 2}, {6001, 3}};
  requests.insert(requests.end(), 10, {100, 99});
  run_pass(requests);
  run_shape(0);
  EXPECT_EQ(statistics().plans_grown, grown);
}

// All confirm one another, and yet: a pass that lost its place must not make the slab a multiple of what was planned.
TEST(Outgrown, NoVariantBecomesMoreThanFourTimesAsHigh) {
  serve(plan_without_parameter());
  const std::uint64_t before = slab_bytes();
  for (int pass = 0; pass < 3; ++pass) run_pass({{40, 1}, {80'000, 2}, {40'000, 3}, {100, 4}});
  run_shape(0);
  EXPECT_EQ(slab_bytes(), before);
}

TEST(Outgrown, WhatCannotBeHadIsAskedForOnce) {
  serve(plan_without_parameter());
  const std::uint64_t refused = statistics().plans_refused;
  constexpr std::size_t kHuge = std::size_t{1} << 41;
  for (int pass = 0; pass < 3; ++pass) run_pass({{40, 1}, {kHuge, 2}, {kHuge, 3}, {100, 4}});
  run_shape(0);
  EXPECT_EQ(statistics().plans_refused - refused, 1u);
  EXPECT_EQ(run_shape(0), 4u);
}

// The end of such a block lies before its beginning: a slot of that size would share its bytes with all others.
TEST(Outgrown, SizesThatWrapAroundAreRefused) {
  serve(plan_without_parameter());
  const std::uint64_t refused = statistics().plans_refused;
  constexpr std::size_t kWraps = ~std::size_t{0} - 5;
  run_pass({{40, 1}, {kWraps, 2}, {kWraps, 3}, {100, 4}});
  run_shape(0);
  EXPECT_EQ(statistics().plans_refused - refused, 1u);
  EXPECT_EQ(run_shape(0), 4u);
}

RC_GTEST_PROP(Outgrown, PlacesAreSoundWhateverWasSeen, ()) {
  const auto count = *rc::gen::inRange<planner::Time>(2, 60);
  std::vector<Demand> demands;
  while (demands.size() < static_cast<std::size_t>(count)) {
    const auto i = static_cast<planner::Time>(demands.size());
    const auto length = *rc::gen::inRange<planner::Time>(1, count - i + 1);
    demands.push_back(demand(i, i + length, *rc::gen::inRange<planner::Bytes>(1, 100000), 0,
                             planner::Bytes{1} << *rc::gen::inRange(0, 13)));
    for (int repeats = 0; repeats < 3; ++repeats) sometimes_repeat(demands);
  }
  const PlanDescription plan = plan_of(demands).plan;
  const std::vector<unsigned char> bytes = planner::encode_plan(plan);
  PlanFile file{};
  RC_ASSERT(copy_plan({bytes.data(), bytes.size()}, &file));
  LoadedPlan* before = make_ready(file, 1);
  runtime::Variant& variant = before->variants[0];
  for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot)
    if (*rc::gen::arbitrary<bool>())
      raise(variant.seen[slot], variant.slots[slot].size * *rc::gen::inRange<std::uint64_t>(1, 3));
  variant.state.set(GrowthState::kWantsLargerSlots);
  PlanFile copy{};
  RC_ASSERT(copy_plan({bytes.data(), bytes.size()}, &copy));
  enlarge_slots(*before, copy);
  LoadedPlan* after = make_ready(copy, 1, before);
  RC_ASSERT(after != nullptr);
  RC_ASSERT(after->variants[0].large_count <= before->variants[0].large_count);
  planner::Problem problem;
  planner::Offsets offsets;
  for (std::uint32_t i = 0; i < after->variants[0].slot_count; ++i) {
    const PlanSlot& slot = after->variants[0].slots[i];
    RC_ASSERT(slot.size >= plan.variants[0].slots[i].size);
    const SlotLife life = planner::life_of(plan.variants[0], i);
    problem.buffers.push_back({.life = {life.begin, life.end},
                               .size = static_cast<planner::Bytes>(slot.size),
                               .alignment = static_cast<planner::Bytes>(slot.alignment)});
    offsets.push_back(static_cast<planner::Offset>(after->variants[0].hot[i].granule) * kGranule);
  }
  problem.capacity = static_cast<planner::Bytes>(after->lane_bytes);
  RC_ASSERT(planner::check_by_sweep(problem, offsets).sentence == "");
  discard(after);
  discard(before);
}

// Layers of a Transformer whose texts become longer: most buffers grow with the length, some with its square, some with
// nothing. A few live beside others for long.
std::vector<Demand> encoder(std::uint32_t seed, planner::Bytes length) {
  std::mt19937 dice(seed);
  std::vector<Demand> demands;
  constexpr planner::Time kLayers = 24;
  constexpr planner::Time kOfLayer = 6;
  const auto add = [&demands](planner::Time at, planner::Time lives, planner::Bytes size) {
    demands.push_back(demand(at, std::min(at + lives, kLayers * kOfLayer), size, 0));
  };
  for (planner::Time layer = 0; layer < kLayers; ++layer) {
    const planner::Time at = kOfLayer * layer;
    const planner::Bytes width = 256 * (1 + static_cast<planner::Bytes>(dice() % 8));
    const planner::Bytes heads = 4 * (1 + static_cast<planner::Bytes>(dice() % 8));
    add(at, kOfLayer + 1 + (dice() % 4 == 0 ? 3 * kOfLayer : 0), length * width);
    add(at + 1, 3, 3 * length * width);
    add(at + 2, 2, heads * length * length);
    add(at + 3, 2, heads * length * length);
    add(at + 4, 2, 20000 + static_cast<planner::Bytes>(dice() % 100000));
    add(at + 5, 1, 4 * length * width);
  }
  return demands;
}

// Returns how high the plan of the short text becomes when texts of the other length come.
std::uint64_t height_grown_for(const PlanDescription& plan, const std::vector<Demand>& longer) {
  const std::vector<unsigned char> bytes = planner::encode_plan(plan);
  PlanFile file{};
  EXPECT_TRUE(copy_plan({bytes.data(), bytes.size()}, &file));
  LoadedPlan* before = make_ready(file, 1);
  runtime::Variant& variant = before->variants[0];
  for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot)
    if (const auto size = static_cast<std::uint64_t>(longer[slot].size); size > variant.slots[slot].size)
      raise(variant.seen[slot], size);
  variant.state.set(GrowthState::kWantsLargerSlots);
  PlanFile copy{};
  EXPECT_TRUE(copy_plan({bytes.data(), bytes.size()}, &copy));
  enlarge_slots(*before, copy);
  LoadedPlan* after = make_ready(copy, 1, before);
  EXPECT_NE(after, nullptr);
  const std::uint64_t height = after->lane_bytes;
  discard(after);
  discard(before);
  return height;
}

// The room beyond what was seen, 1/32, is part of it. A search of milliseconds finds a little more than the planned order
// and two others do: one layout in fifteen is more than a twentieth higher.
TEST(Outgrown, PlacesAreAsLowAsThoseOfAPlanMadeForTheLargerShape) {
  constexpr planner::Bytes kShort = 64;
  int above = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const PlanDescription plan = plan_of(encoder(seed, kShort)).plan;
    for (const planner::Bytes length : {72, 96, 128}) {
      const auto afresh = static_cast<double>(plan_of(encoder(seed, length)).reports[0].height);
      const double times = static_cast<double>(height_grown_for(plan, encoder(seed, length))) / afresh;
      EXPECT_LE(times, 1.15) << seed << " " << length;
      above += times > 1.05 ? 1 : 0;
    }
  }
  EXPECT_LE(above, 4);
}

// A cache that is a row longer in each iteration and handed on to the next, and a small block.
PlanDescription growing_loop() {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {
      {.slots = {large_slot(1, 8192, 0), cell_slot(2, 64, 0), large_slot(1, 8192, 8192), cell_slot(2, 64, 0)},
       .loops = {{.first_slot = 0, .end_slot = 4, .slots = 2}}}};
  auto& slots = plan.variants[0].slots;
  for (const std::size_t cache : {0U, 2U}) {
    slots[cache].formula = planner::line_from(8192, kStep);
    slots[cache].freed_at = 0;
  }
  for (const std::uint32_t small : {1U, 3U}) slots[small].freed_at = small + 1;
  return plan;
}

constexpr std::size_t kProfiled = 8192 / kStep;  // iterations

// Counts the caches of a pass that were not served.
std::size_t run_loop(std::size_t iterations) {
  Shadow shadow;
  Pass pass;
  void* cache = nullptr;
  std::size_t missed = 0;
  const auto drop = [&shadow](void* block) {
    if (block == nullptr) return;
    shadow.dies(block);
    EXPECT_TRUE(release(block));
  };
  for (std::size_t rows = 1; rows <= iterations; ++rows) {
    void* longer = allocate(rows * kStep, 1);
    if (longer == nullptr) ++missed;
    if (longer != nullptr) shadow.born(longer, rows * kStep);
    drop(cache);
    cache = longer;
    EXPECT_TRUE(release(allocate(64, 2)));
  }
  drop(cache);
  return missed;
}

// What is too large goes to the heap, in any pass; the next one may be a little longer still.
TEST(Growth, ALongerRunOfALoopIsServedFromItsSecondPassOn) {
  serve(growing_loop());
  const std::uint64_t grown = statistics().plans_grown;
  EXPECT_EQ(run_loop(kProfiled), 0u);
  EXPECT_EQ(run_loop(kProfiled + 33), 33u);
  EXPECT_EQ(run_loop(kProfiled + 33), 0u);
  EXPECT_EQ(slab_bytes(), 64u + 2 * (8192 + 36 * kStep));
  EXPECT_EQ(run_loop(kProfiled + 36), 0u);
  EXPECT_EQ(run_loop(kProfiled + 37), 1u);
  EXPECT_EQ(run_loop(kProfiled + 37), 1u);  // a single block that was too large makes nothing grow
  EXPECT_EQ(statistics().plans_grown - grown, 1u);
}

TEST(Growth, OfALoopHappensSeldomHoweverOftenItsRunsBecomeLonger) {
  serve(growing_loop());
  const std::uint64_t grown = statistics().plans_grown;
  for (std::size_t beyond = 0; beyond <= 1000; ++beyond) run_loop(kProfiled + beyond);
  EXPECT_LE(statistics().plans_grown - grown, 8u * 8u);  // steps each time that a number below 1024 doubles
  EXPECT_GE(statistics().plans_grown - grown, 20u);
}

TEST(Growth, AnotherPlanBeginsAnew) {
  serve(growing_plan());
  run_shape(9);
  EXPECT_EQ(run_shape(9), 4u);
  serve(growing_plan());
  EXPECT_EQ(run_shape(9), 2u);
}

}  // namespace
}  // namespace memo::runtime
