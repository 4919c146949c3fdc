#include "planner/layout/plan_variants.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "planner/check/check_plan.h"
#include "planner/layout/zones.h"
#include "planner/plan/plan_reader.h"
#include "planner/plan/plan_writer.h"
#include "planner/problem/bounds.h"
#include "planner/registry/registry.h"
#include "planner/steps/parallel_scopes.h"
#include "runtime/formats/place_runs.h"

namespace memo::planner {
namespace {

constexpr const char* kStrategy = "greedy-size";

Variant variant_of(std::vector<Demand> demands) {
  Variant variant;
  variant.pass_name = "forward";
  variant.runs = 3;
  variant.demands = std::move(demands);
  return variant;
}

PlannedVariants plan(std::vector<Variant> found) {
  Variants variants;
  variants.modules = {{.path = "/srv/libnet.so", .build_id = "00ff10"}};
  variants.variants = std::move(found);
  return plan_variants(variants, *find_strategy(kStrategy), {});
}

Demand demand(Time begin, Time end, Bytes size, Bytes alignment = 16) {
  return {.size = size, .alignment = alignment, .life = {begin, end}, .site = {.module = 0, .offset = 0x40}};
}

// What the traces show of the warm-up is in the plan, through its file and back: the library counts those passes apart.
TEST(PlanVariants, KnowTheWarmUp) {
  Variants variants;
  variants.modules = {{.path = "/srv/libnet.so", .build_id = "00ff10"}};
  variants.variants = {variant_of({demand(0, 1, 4096)})};
  variants.before_steady = 3;
  const PlanDescription planned = plan_variants(variants, *find_strategy(kStrategy), {}).plan;
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "memomalloc-warm-up-test.plan";
  write_plan(planned, path);
  EXPECT_EQ(read_plan(path.string()).variants.at(0).warm_up, 3U);
  std::filesystem::remove(path);
}

TEST(PlanVariants, LeavesEscapingAllocationsAndUnknownCallersToTheHeap) {
  Demand escaping = demand(0, 3, 1 << 20);
  escaping.zone = PlanZone::kKept;
  Demand nameless = demand(1, 2, 1 << 20);
  nameless.site.module = kNone;
  const PlannedVariants planned = plan({variant_of({escaping, nameless, demand(2, 3, 1 << 20)})});
  EXPECT_EQ(planned.reports[0].unplanned, 2U);
  EXPECT_EQ(planned.reports[0].buffers, 1U);
  const auto& slots = planned.plan.variants[0].slots;  // of an unknown caller nothing can be expected
  ASSERT_EQ(slots.size(), 2U);
  EXPECT_EQ(slots[0].zone, PlanZone::kKept);
  EXPECT_EQ(slots[1].zone, PlanZone::kLarge);
}

Demand at_site(Demand made, std::uint64_t site) {
  made.site.offset = site;
  return made;
}

// Two variants that begin alike, hold a first block of `bytes`, and part at their second allocation.
std::vector<Variant> parting(Bytes bytes) {
  const auto held = at_site(demand(0, 3, bytes), 1);
  return {variant_of({held, at_site(demand(1, 2, 1 << 20), 2), at_site(demand(2, 3, 1 << 20), 3)}),
          variant_of({held, at_site(demand(1, 2, 1 << 20), 4), at_site(demand(2, 3, 1 << 20), 5)})};
}

// Only where no large block is live, the arena changes the variant. So what a pass holds there is in a cell.
TEST(PlanVariants, WhatIsHeldWhereVariantsPartIsInACell) {
  for (const PlanVariantDescription& variant : plan(parting(8192)).plan.variants) {
    EXPECT_EQ(variant.slots[0].zone, PlanZone::kCell);
    EXPECT_EQ(variant.slots[1].zone, PlanZone::kLarge);
  }
}

TEST(PlanVariants, WhatIsHeldThereIsNoCellWhereThatCostsMuch) {
  for (const PlanVariantDescription& variant : plan(parting(1 << 20)).plan.variants)
    EXPECT_EQ(variant.slots[0].zone, PlanZone::kLarge);
}

// Two operators that ran at the same time, one block each, and one that ran after them.
Variant two_branches() {
  Variant variant = variant_of({demand(0, 1, 1 << 20), demand(1, 2, 1 << 20), demand(2, 3, 1 << 20)});
  for (std::uint32_t i = 0; i < 3; ++i) {
    variant.demands[i].scope = i;
    variant.scopes.push_back({.name = "branch", .life = {i, i + 1}});
  }
  variant.parallel = {{0, 1}};
  return variant;
}

TEST(PlanVariants, WhatRanAtTheSameTimeSharesBytesUnlessToldNotTo) {
  Variants variants;
  variants.modules = {{.path = "/srv/libnet.so", .build_id = "00ff10"}};
  variants.variants = {two_branches()};
  EXPECT_EQ(plan_variants(variants, *find_strategy(kStrategy), {}).reports[0].height, 1 << 20);
  keep_parallel(variants);
  const PlannedVariants kept = plan_variants(variants, *find_strategy(kStrategy), {});
  const auto& slots = kept.plan.variants[0].slots;
  EXPECT_EQ(kept.reports[0].height, 2 << 20);  // the third block has a place on one of theirs
  EXPECT_NE(slots[0].place, slots[1].place);
}

// The first block outlives its operator, and a branch that reads it may be the last to run: its bytes stay its own. One that its
// operator frees itself is in nobody's way.
TEST(PlanVariants, WhatIsHandedOnIsKeptWhileBranchesRun) {
  Variant variant = variant_of({demand(0, 3, 1 << 20), demand(1, 2, 1 << 20), demand(3, 4, 1 << 20)});
  variant.demands[0].scope = variant.demands[1].scope = 0;
  variant.demands[2].scope = 1;
  variant.scopes = {{.name = "trunk", .life = {0, 2}}, {.name = "branch", .life = {3, 4}}};
  variant.outlasting = {{0, 1}};
  Variants variants;
  variants.variants = {variant};
  keep_parallel(variants);
  const std::vector<Demand>& kept = variants.variants[0].demands;
  EXPECT_EQ(kept[0].life.end, 4);
  EXPECT_EQ(kept[1].life.end, 2);
  EXPECT_EQ(kept[2].life.begin, 3);
}

// Slots count only planned allocations, so times and scopes move together when one before them is left out.
TEST(PlanVariants, TimesAndScopesAreInSlotsOfThePlan) {
  Demand nameless = demand(0, 4, 64);
  nameless.site.module = kNone;
  Variant variant =
      variant_of({nameless, demand(1, 3, 1 << 20), demand(2, 4, 1 << 20), demand(3, 4, 1 << 20)});
  variant.scopes = {{.name = "conv", .life = {1, 3}}};
  const PlannedVariants planned = plan({variant});
  const PlanVariantDescription& description = planned.plan.variants[0];
  EXPECT_EQ(description.slots[0].freed_at, 2U);
  EXPECT_EQ(description.slots[1].freed_at, 3U);
  EXPECT_EQ(description.scopes[0].first_slot, 0U);
  EXPECT_EQ(description.scopes[0].end_slot, 2U);
}

TEST(PlanVariants, VariantsShareTheirCells) {
  const Variant small = variant_of({demand(0, 2, 100), demand(1, 2, 100)});
  const PlannedVariants one = plan({small});
  const PlannedVariants two = plan({small, small});
  EXPECT_EQ(one.plan.cells, two.plan.cells);
}

TEST(PlanVariants, MoreLargeBlocksThanAPlanHoldsGoToCells) {
  std::vector<Demand> demands;
  for (Time t = 0; t < 3000; ++t) demands.push_back(demand(t, t + 1, 40000));
  const PlannedVariants planned = plan({variant_of(demands)});
  EXPECT_LE(planned.reports[0].height, 48 * 1024);
}

// Whatever passes look like: the plan is valid by a checker that knows nothing of how it was made, is never
// below the bound, and comes back unchanged from its file.
// Returns a variant of two large blocks, one after the other, whose passes were seen in several orders.
Variant in_orders(std::uint64_t key, Bytes size) {
  Variant variant = variant_of({demand(0, 1, size), demand(1, 2, size / 2)});
  variant.key = key;
  variant.has_orders = true;
  return variant;
}

// The variants of a key share the places, which take nothing of what any of them has: they look for gaps in one table.
TEST(PlanVariants, ThoseSeenInOrdersShareAReserve) {
  constexpr Bytes kLarge = 3 << 20;
  const PlannedVariants planned =
      plan({in_orders(7, kLarge / 2), in_orders(7, kLarge), variant_of({demand(0, 1, kLarge)})});
  EXPECT_TRUE(check_plan(planned.plan).valid());
  EXPECT_EQ(planned.reports[0].reserve, 4 << 20);  // any block fits, rounded up to a power of two
  EXPECT_EQ(planned.reports[2].reserve, 0);
  const std::vector<PlanSlotDescription>& slots = planned.plan.variants[0].slots;
  const std::vector<PlanSlotDescription>& others = planned.plan.variants[1].slots;
  ASSERT_GT(slots.size(), 2U);
  ASSERT_EQ(slots.size(), others.size());
  for (std::size_t i = 2; i < slots.size(); ++i) {
    EXPECT_EQ(slots[i].zone, PlanZone::kLarge);
    EXPECT_EQ(slots[i].place, others[i].place);
    EXPECT_GE(slots[i].place, static_cast<std::uint64_t>(kLarge))
        << "slot " << i;  // the second one's block ends there
  }
}

// Cells are not aligned to pages. A plan of all these blocks could not be written.
TEST(PlanVariants, TheSmallestBlocksAreLeftOutWhereTooManyAreAlignedToPages) {
  constexpr Time kMany = kMaxLargePlaces + 10;
  std::vector<Demand> demands;
  for (Time i = 0; i < kMany; ++i) demands.push_back(demand(i, i + 1, 100 + i * kGranule, 4096));
  const PlannedVariants planned = plan({variant_of(demands)});
  EXPECT_TRUE(check_plan(planned.plan).valid());
  const std::vector<PlanSlotDescription>& slots = planned.plan.variants[0].slots;
  for (std::size_t i = 0; i < slots.size(); ++i)
    EXPECT_EQ(slots[i].zone, i < 10 ? PlanZone::kHeap : PlanZone::kLarge) << "slot " << i;
  EXPECT_EQ(planned.plan.variants[0].unplanned, 10U);
}

// A library asks for its workspace again and again. All of them have one place, and what lives meanwhile has another.
TEST(PlanVariants, BlocksThatFollowEachOtherInOnePlaceCountOnce) {
  constexpr Time kMany = 2 * kMaxLargePlaces;
  std::vector<Demand> demands = {demand(0, kMany + 1, 1 << 20)};
  for (Time i = 1; i <= kMany; ++i) demands.push_back(demand(i, i + 1, 70'000, 4096));
  const PlannedVariants planned = plan({variant_of(demands)});
  const PlanVariantDescription& variant = planned.plan.variants[0];
  EXPECT_TRUE(check_plan(planned.plan).valid());
  EXPECT_EQ(variant.unplanned, 0U);
  EXPECT_EQ(count_places(variant.slots), 2U);
  EXPECT_EQ(planned.reports[0].status, Status::kOptimal);
  EXPECT_EQ(decode_plan(encode_plan(planned.plan)), planned.plan);
}

// The block between them is in the way, or would be: each has a place of its own then.
TEST(PlanVariants, BlocksWithAnotherLargeOneBetweenThemAreNoRun) {
  const Variant mixed = variant_of({demand(0, 1, 1 << 20), demand(1, 2, 2 << 20), demand(2, 3, 1 << 20)});
  EXPECT_EQ(large_blocks(mixed, 0).problem.buffers.size(), 3U);
  const Variant together = variant_of({demand(0, 2, 1 << 20), demand(1, 2, 1 << 20)});
  EXPECT_EQ(large_blocks(together, 0).problem.buffers.size(), 2U);
}

// What lives with any block of a run lives with the first.
RC_GTEST_PROP(PlanVariants, RunsMakeNoPassHigher, ()) {
  const auto count = *rc::gen::inRange<Time>(1, 60);
  std::vector<Demand> demands;
  Problem each;
  for (Time i = 0; i < count; ++i) {
    const auto end = *rc::gen::oneOf(rc::gen::just(i + 1), rc::gen::inRange<Time>(i + 1, count + 1));
    demands.push_back(demand(i, end, *rc::gen::element<Bytes>(1000, 2000), 64));
    each.buffers.push_back({.life = demands.back().life,
                            .size = align_up(demands.back().size, kGranule),
                            .alignment = kGranule});
  }
  const Variant variant = variant_of(demands);
  const LargeBlocks large = large_blocks(variant, 0);
  RC_ASSERT(peak_live_bytes(large.problem) == peak_live_bytes(each));
  RC_ASSERT(check_plan(plan({variant}).plan).sentence == "");
}

// A worker may have to do all that is left of a pass.
TEST(PlanVariants, TheReserveOfWorkersIsAsLargeAsAPass) {
  constexpr Bytes kLarge = 1 << 20;
  Variant pass = variant_of({demand(0, 2, kLarge), demand(1, 2, kLarge), demand(1, 2, kLarge)});
  pass.has_orders = true;
  const PlannedVariants planned = plan({pass, in_orders(kWorkerPassKey, kLarge / 4)});
  EXPECT_EQ(planned.reports[0].reserve, kLarge);
  EXPECT_EQ(planned.reports[1].reserve, 4 * kLarge);  // three, rounded up to a power of two
  EXPECT_TRUE(check_plan(planned.plan).valid());
}

// A pass that goes round would come to the places behind its loop.
TEST(PlanVariants, ThereIsNoReserveBehindLoopsNorWhereItsPlacesAreTooMany) {
  Variant loop = in_orders(7, 1 << 20);
  loop.loops.push_back({.first_demand = 0, .demands = 1, .period = 1, .lengths = {4, 5}});
  Variant full = in_orders(8, 1 << 20);
  full.demands.clear();
  for (Time i = 0; i < kMaxLargePlaces; ++i) full.demands.push_back(demand(i, i + 1, (2 << 20) + i));
  const PlannedVariants planned = plan({loop, full});
  EXPECT_EQ(planned.reports[0].reserve + planned.reports[1].reserve, 0);
  EXPECT_TRUE(check_plan(planned.plan).valid());
}

RC_GTEST_PROP(PlanVariants, AnyPassGivesAValidPlanThatSurvivesItsFile, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 60);
  std::vector<Demand> demands;
  for (std::size_t i = 0; i < count; ++i) {
    const auto length = *rc::gen::inRange<Time>(1, static_cast<Time>(count) - static_cast<Time>(i) + 1);
    const Bytes size = *rc::gen::oneOf(rc::gen::inRange<Bytes>(1, 300), rc::gen::inRange<Bytes>(1, 100000));
    const Bytes alignment = Bytes{1} << *rc::gen::inRange(0, 13);
    const auto begin = static_cast<Time>(i);
    demands.push_back(demand(begin, begin + length, size, alignment));
    demands.back().zone = *rc::gen::weightedElement<PlanZone>({{9, PlanZone::kLarge}, {1, PlanZone::kKept}});
  }
  const PlannedVariants planned = plan({variant_of(demands)});
  const Verdict verdict = check_plan(planned.plan);
  RC_ASSERT(verdict.sentence == "");
  RC_ASSERT(planned.reports[0].height >= planned.reports[0].lower_bound);
  RC_ASSERT(decode_plan(encode_plan(planned.plan)) == planned.plan);
}

TEST(CheckPlan, SaysWhichSlotsCollide) {
  PlannedVariants planned = plan({variant_of({demand(0, 2, 1 << 20), demand(1, 2, 1 << 20)})});
  planned.plan.variants[0].slots[0] = planned.plan.variants[0].slots[1];
  planned.plan.variants[0].slots[0].freed_at = 2;
  EXPECT_EQ(check_plan(planned.plan).fault, Fault::kOverlap);
}

Demand gathered(Time begin, Bytes size, std::uint32_t cells) {
  Demand result = demand(begin, begin + 1, size);
  result.zone = PlanZone::kList;
  result.cells = cells;
  return result;
}

// All lists together may take kListsMayTake in a plan as low as these: small blocks come first.
TEST(PlanVariants, ListsOfSmallBlocksComeFirst) {
  const PlannedVariants planned = plan(
      {variant_of({gathered(0, 8192, 100), gathered(1, 100, 1000)}), variant_of({gathered(0, 4096, 60)})});
  const auto& slots = planned.plan.variants[0].slots;
  EXPECT_EQ(slots[0].zone, PlanZone::kHeap);
  EXPECT_EQ(slots[1].zone, PlanZone::kList);
  EXPECT_EQ(planned.plan.variants[1].slots[0].zone, PlanZone::kList);
  EXPECT_EQ(planned.reports[0].unplanned, 1U);
  EXPECT_TRUE(check_plan(planned.plan).valid());
  EXPECT_EQ(decode_plan(encode_plan(planned.plan)), planned.plan);
}

TEST(PlanVariants, BlocksThatOutliveTheirPassHaveNoList) {
  Demand kept = demand(0, 1, 100);
  kept.zone = PlanZone::kKept;
  Demand aligned = gathered(1, 100, 10);
  aligned.alignment = 4096;
  const PlannedVariants planned = plan({variant_of({kept, aligned})});
  EXPECT_EQ(planned.plan.variants[0].slots[0].zone, PlanZone::kKept);
  EXPECT_EQ(planned.plan.variants[0].slots[1].zone, PlanZone::kHeap);
  EXPECT_EQ(decode_plan(encode_plan(planned.plan)), planned.plan);
}

TEST(CheckPlan, AListHasItsCellsForItself) {
  const PlannedVariants planned =
      plan({variant_of({demand(0, 1, 100), gathered(1, 100, 10), gathered(2, 100, 10)})});
  ASSERT_TRUE(check_plan(planned.plan).valid());
  const auto with = [&](std::size_t slot, std::uint64_t place) {
    PlanDescription changed = planned.plan;
    changed.variants[0].slots[slot].place = place;
    return check_plan(changed).fault;
  };
  const std::uint64_t first = planned.plan.variants[0].slots[1].place;
  EXPECT_EQ(with(2, first + 9), Fault::kOverlap);
  EXPECT_EQ(with(2, first + 11), Fault::kOverlap);  // beyond the last cell
  EXPECT_EQ(with(0, first), Fault::kOverlap);
}

TEST(CheckPlan, ABlockMustFitItsCell) {
  PlannedVariants planned = plan({variant_of({demand(0, 2, 100), demand(1, 2, 1 << 21)})});
  ASSERT_FALSE(planned.plan.cells.empty());
  planned.plan.cells[0] = 64;
  EXPECT_EQ(check_plan(planned.plan).fault, Fault::kOverlap);
}

}  // namespace
}  // namespace memo::planner
