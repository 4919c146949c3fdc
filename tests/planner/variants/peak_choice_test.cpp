// A plan for passes at once is split where that takes less memory, and never where it takes more.
#include "planner/variants/peaks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "planner/check/check_plan.h"
#include "planner/check/servable.h"
#include "planner/plan/plan_reader.h"
#include "planner/plan/plan_writer.h"
#include "planner/registry/registry.h"
#include "planner/variants/peak_choice.h"
#include "planner/variants/plan_variants.h"

namespace memo::planner {
namespace {

constexpr Bytes kMiB = Bytes{1} << 20;

Demand demand(Time begin, Time end, Bytes size) {
  return {.size = size, .alignment = 64, .life = {begin, end}, .site = {.module = 0, .offset = 64}};
}

// 20 allocations: 8 MiB all the time, and 24 MiB more from the 10th to the 11th.
Variant with_one_peak() {
  Variant variant;
  variant.pass_name = "forward";
  variant.runs = 3;
  variant.demands.push_back(demand(0, 20, 8 * kMiB));
  for (Time at = 1; at < 20; ++at) variant.demands.push_back(demand(at, at + 1, at == 10 ? 24 * kMiB : kMiB));
  return variant;
}

PlannedVariants plan(std::vector<Variant> found, std::uint32_t at_once) {
  Variants variants;
  variants.modules = {{.path = "/srv/libnet.so", .build_id = "00ff10"}};
  variants.variants = std::move(found);
  variants.at_once = at_once;
  return plan_variants(variants, *find_strategy("auto"), {.nodes = 1000});
}

TEST(Peaks, AreSharedByPassesAtOnce) {
  const PlannedVariants planned = plan({with_one_peak()}, 8);
  ASSERT_TRUE(planned.peaks.has_value());
  EXPECT_EQ(planned.peaks->concurrent, 8u);
  EXPECT_EQ(planned.peaks->own, 9 * kMiB);
  EXPECT_EQ(planned.peaks->peak, 24 * kMiB);
  EXPECT_EQ(planned.peaks->unsplit, 32 * kMiB);
  EXPECT_EQ(planned.peaks->regions, 2u);  // a twentieth of the time of 8 passes
  EXPECT_EQ(planned.plan.peaks.split, static_cast<std::uint64_t>(9 * kMiB));
  EXPECT_TRUE(check_plan(planned.plan).valid());
  require_servable(planned.plan);
  EXPECT_EQ(decode_plan(encode_plan(planned.plan)), planned.plan);
}

// Where the peak takes most of the time, as many regions are needed as lanes.
TEST(Peaks, ThatLastAreNotShared) {
  Variant variant = with_one_peak();
  variant.times.duration = 1000;
  for (std::uint64_t i = 0; i < variant.demands.size(); ++i)
    variant.times.begun.push_back(i <= 10 ? i : 980 + i);
  EXPECT_FALSE(plan({variant}, 8).peaks.has_value());
}

TEST(Peaks, OfOnePassAreItsOwn) {
  const PlannedVariants alone = plan({with_one_peak()}, 1);
  EXPECT_FALSE(alone.peaks.has_value());
  EXPECT_FALSE(alone.plan.peaks.exist());
  EXPECT_EQ(encode_plan(alone.plan), encode_plan(plan({with_one_peak()}, 0).plan));
}

// The lanes must have room for such a variant, so that a split below it is no use.
TEST(Peaks, OfSizesThatGrowStayInTheLane) {
  Variant grows = with_one_peak();
  grows.demands[10].growth = 64;
  EXPECT_FALSE(plan({with_one_peak(), grows}, 8).peaks.has_value());
  Variant low;
  low.runs = 2;
  low.demands = {demand(0, 2, 8 * kMiB), demand(1, 2, kMiB)};
  low.demands[0].growth = 64;
  const PlannedVariants planned = plan({with_one_peak(), low}, 8);
  ASSERT_TRUE(planned.peaks.has_value());
  EXPECT_LE(height(planned.plan, planned.plan.variants[1]), static_cast<std::uint64_t>(planned.peaks->own));
  require_servable(planned.plan);
}

TEST(Peaks, NeedMoreRegionsTheLongerTheyLast) {
  EXPECT_EQ(regions_for(0, 8), 1u);
  EXPECT_EQ(regions_for(1, 8), 8u);
  EXPECT_EQ(regions_for(1, 1000), kMaxPeakRegions);
  for (std::uint32_t concurrent = 2; concurrent < 40; ++concurrent)
    for (double share = 0; share < 0.95; share += 0.05) {
      EXPECT_LE(regions_for(share, concurrent), regions_for(share + 0.05, concurrent))
          << share << " " << concurrent;
      EXPECT_LE(regions_for(share, concurrent), concurrent);
    }
}

PeakProblem drawn_problem(std::size_t blocks) {
  constexpr Time kMoments = 8;
  PeakProblem drawn{.problem = {}, .offsets = {}, .shares = std::vector<double>(kMoments, 1.0 / kMoments)};
  for (std::size_t i = 0; i < blocks; ++i) {
    const Time begin = *rc::gen::inRange<Time>(0, kMoments);
    const Time end = *rc::gen::inRange<Time>(begin + 1, kMoments + 1);
    drawn.problem.buffers.push_back(
        {.life = {begin, end}, .size = kMiB * *rc::gen::inRange<Bytes>(1, 30), .alignment = 64});
  }
  drawn.offsets = find_strategy("greedy-size")->solve(drawn.problem, {}).offsets;
  return drawn;
}

Bytes sum_of_subset(const PeakProblem& problem, const std::vector<bool>& of_peak, std::uint32_t concurrent) {
  const PeakChoice choice{.own = peak_live_bytes(part_of(problem.problem, of_peak, false)),
                          .peak = peak_live_bytes(part_of(problem.problem, of_peak, true)),
                          .regions = regions_for(share_of_time(problem, of_peak), concurrent)};
  return sum_of(choice, 0, concurrent);
}

// What it says of its choice is so, it is not worse than no split, and no choice of blocks is better than the best of all.
RC_GTEST_PROP(PeakChoice, IsBetweenTheBestOfAllAndNoSplit, ()) {
  const PeakProblem problem = drawn_problem(*rc::gen::inRange<std::size_t>(1, 9));
  const auto concurrent = *rc::gen::inRange<std::uint32_t>(2, 17);
  const PeakChoice choice = choose_peaks({&problem, 1}, 0, concurrent);
  const PeakChoice whole{.own = height(problem.problem, problem.offsets)};
  RC_ASSERT(sum_of(choice, 0, concurrent) <= sum_of(whole, 0, concurrent));
  if (choice.peak == 0) return;
  RC_ASSERT(sum_of(choice, 0, concurrent) == sum_of_subset(problem, choice.of_peak[0], concurrent));
  const std::size_t blocks = problem.problem.buffers.size();
  Bytes best = sum_of(whole, 0, concurrent);
  for (std::uint32_t subset = 0; subset < 1u << blocks; ++subset) {
    std::vector<bool> of_peak;
    for (std::size_t i = 0; i < blocks; ++i) of_peak.push_back((subset >> i & 1) != 0);
    best = std::min(best, sum_of_subset(problem, of_peak, concurrent));
  }
  RC_ASSERT(best <= sum_of(choice, 0, concurrent));
}

// One block high for a short time above a floor: the best of all is found.
TEST(PeakChoice, FindsTheBestForOneTower) {
  PeakProblem tower{
      .problem = {.buffers = {{.life = {0, 20}, .size = 8 * kMiB}, {.life = {9, 10}, .size = 24 * kMiB}}},
      .offsets = {0, 8 * kMiB},
      .shares = std::vector<double>(20, 0.05)};
  const PeakChoice choice = choose_peaks({&tower, 1}, 0, 8);
  EXPECT_EQ(choice.own, 8 * kMiB);
  EXPECT_EQ(choice.peak, 24 * kMiB);
  EXPECT_EQ(choice.of_peak[0], (std::vector<bool>{false, true}));
}

// Passes of a low variant need no region: with three in four of these, fewer do than where all passes are of the high one.
TEST(PeakChoice, CountsRegionsByTheMixOfPasses) {
  PeakProblem high{
      .problem = {.buffers = {{.life = {0, 20}, .size = 8 * kMiB}, {.life = {5, 15}, .size = 24 * kMiB}}},
      .offsets = {0, 8 * kMiB},
      .shares = std::vector<double>(20, 0.05)};
  PeakProblem low{.problem = {.buffers = {{.life = {0, 20}, .size = 8 * kMiB}}},
                  .offsets = {0},
                  .shares = std::vector<double>(20, 0.05),
                  .weight = 0.75};
  EXPECT_EQ(choose_peaks({&high, 1}, 0, 8).regions, regions_for(0.5, 8));
  high.weight = 0.25;
  const std::vector<PeakProblem> both{high, low};
  const PeakChoice choice = choose_peaks(both, 0, 8);
  EXPECT_EQ(choice.regions, regions_for(0.5 * 0.25, 8));
  EXPECT_LT(choice.regions, regions_for(0.5, 8));
}

Variant drawn_variant() {
  Variant variant;
  variant.runs = 2;
  const auto demands = *rc::gen::inRange<Time>(2, 30);
  for (Time at = 0; at < demands; ++at) {
    const Time end = *rc::gen::inRange<Time>(at + 1, demands + 1);
    const Bytes size = *rc::gen::weightedOneOf<Bytes>(
        {{3, rc::gen::inRange<Bytes>(1, kMiB)}, {1, rc::gen::inRange<Bytes>(8 * kMiB, 40 * kMiB)}});
    variant.demands.push_back(demand(at, end, size));
    variant.demands.back().alignment = Bytes{1} << *rc::gen::inRange(0, 16);
  }
  return variant;
}

// Split or not: no two blocks that live at once share bytes, none lies across the split, and the arena takes the plan.
RC_GTEST_PROP(Peaks, ArePlacedRight, ()) {
  std::vector<Variant> variants;
  for (int number = *rc::gen::inRange(1, 4); number > 0; --number) variants.push_back(drawn_variant());
  const auto concurrent = *rc::gen::inRange<std::uint32_t>(1, 17);
  const PlannedVariants planned = plan(variants, concurrent);
  const Verdict verdict = check_plan(planned.plan);
  RC_ASSERT(verdict.sentence == "");
  require_servable(planned.plan);
  if (!planned.peaks) return;
  RC_ASSERT(planned.peaks->sum() <= planned.peaks->sum_unsplit());
  const PlanHeights parts = heights(planned.plan);
  RC_ASSERT(static_cast<Bytes>(parts.own) == planned.peaks->own);
  RC_ASSERT(static_cast<Bytes>(parts.peak) == planned.peaks->peak);
}

TEST(PassTimes, SayHowManyPassesRanAtOnce) {
  const auto pass = [](std::uint64_t begin, std::uint64_t end, bool complete = true) {
    Pass made;
    made.begin_ns = begin;
    made.end_ns = end;
    made.complete = complete;
    return made;
  };
  EXPECT_EQ(most_at_once({}), 0u);
  const std::vector<Pass> in_turn = {pass(1, 5), pass(5, 9), pass(9, 9)};
  EXPECT_EQ(most_at_once(in_turn), 1u);
  const std::vector<Pass> at_once = {pass(1, 5), pass(4, 9), pass(2, 6), pass(3, 5, false), pass(6, 7)};
  EXPECT_EQ(most_at_once(at_once), 3u);
}

// The times of passes that are alike are summed up, in whichever order they come.
TEST(PassTimes, AreSharesOfTheWholePass) {
  PassTimes times{.duration = 100, .begun = {10, 20, 80}};
  times.add({.duration = 100, .begun = {10, 40, 60}});
  const std::vector<double> shares = shares_of_time(times, 3);
  EXPECT_DOUBLE_EQ(shares[0], 0.2);
  EXPECT_DOUBLE_EQ(shares[1], 0.4);
  EXPECT_DOUBLE_EQ(shares[2], 0.3);
  EXPECT_DOUBLE_EQ(shares_of_time(times, 2)[1], 0.5);  // not of these allocations: all alike
}

}  // namespace
}  // namespace memo::planner
