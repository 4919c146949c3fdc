// Requests of random batch and length are one variant, which serves shapes that no trace showed; what differs in its
// steps is another structure, and sizes that would make the layout much higher stay apart.
#include "planner/sizes/structures.h"
#include "planner/layout/find_variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "planner/check/check_plan.h"
#include "planner/check/dry_run.h"
#include "planner/check/servable.h"
#include "planner/layout/plan_variants.h"
#include "planner/plan/plan_reader.h"
#include "planner/plan/plan_writer.h"
#include "planner/registry/registry.h"
#include "planner/steps/alignment.h"
#include "tests/planner/lives/left_behind.h"
#include "tests/planner/sizes/encoders.h"

namespace memo::planner {
namespace {

using testing::EncoderOptions;
using testing::random_requests;
using testing::Request;
using testing::trace_of_requests;

Variants variants_of(const Trace& trace) {
  return find_variants(DistinctPasses({&trace, 1}));
}

PlannedVariants planned(const Variants& variants) {
  PlannedVariants result = plan_variants(variants, *find_strategy("greedy-size"), {});
  EXPECT_TRUE(check_plan(result.plan).valid()) << check_plan(result.plan).sentence;
  EXPECT_NO_THROW(require_servable(result.plan));
  return result;
}

double share_served(const PlanDescription& plan, const Trace& trace) {
  const DryRun run = dry_run(plan, trace);
  return static_cast<double>(run.served) / static_cast<double>(run.served + run.missed());
}

TEST(Structures, ManyShapesAreOneVariantWithItsLoops) {
  const Trace trace = trace_of_requests(random_requests(60, 1));
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 1U);
  const Variant& variant = found.variants.front();
  EXPECT_EQ(variant.runs, 60U);
  EXPECT_GT(variant.shapes, 50U);
  EXPECT_EQ(found.warm_up, 0U);
  EXPECT_EQ(found.before_steady, 0U);
  ASSERT_EQ(variant.loops.size(), 4U);  // two products in each of two layers
  for (const VariantLoop& loop : variant.loops) {
    EXPECT_EQ(loop.lengths, (std::vector<std::size_t>{4, 8, 16, 32}));
    EXPECT_EQ(loop.demands, 4U);  // the buffer for long texts among them
    EXPECT_EQ(loop.period, 1U);
  }
  // An embedding, an answer, and of each layer: four results, a copy, and two products with their loops.
  EXPECT_EQ(variant.demands.size(), 2U + 2 * (4 + 2 * 5));
}

TEST(Structures, EachSlotIsAsLargeAsTheLargestBlock) {
  const Trace trace = trace_of_requests({{8, 100}, {4, 128}, {8, 20}, {2, 128}, {1, 64}, {8, 64}});
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].demands[0].size, 8 * 100 * 64);
  EXPECT_EQ(found.variants[0].demands[2].size, std::max(8 * 4 * 100 * 100, 4 * 4 * 128 * 128));
}

// A batch of 1 to 8 and a length, from the sizes alone. The plan's file keeps them.
TEST(Structures, ABatchAndALengthAreFoundInTheSizes) {
  const std::vector<Request> requests = random_requests(60, 1);
  const auto shorter = [](const Request& a, const Request& b) { return a.length < b.length; };
  const Request& shortest = *std::min_element(requests.begin(), requests.end(), shorter);
  const std::vector<VaryingSize> expected = {
      {.least = 1, .most = 8}, {.least = static_cast<std::uint64_t>(shortest.length), .most = 128}};
  const Variants found = variants_of(trace_of_requests(requests));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].range.varying, expected);
  const PlanDescription read = decode_plan(encode_plan(planned(found).plan));
  EXPECT_EQ(read.variants[0].range, found.variants[0].range);
}

// The formulas of an encoder's blocks: its rows, and its weights in each head. A copy that one text alone does not need has
// one, too: it would outgrow its slot alone. The plan has them, and so has its file.
TEST(Structures, SizesThatFollowABatchAndALengthHaveFormulas) {
  const Variants found = variants_of(trace_of_requests(random_requests(60, 1)));
  ASSERT_EQ(found.variants.size(), 1U);
  const SizeFormula rows{.factor = 64, .powers = {1, 1}};
  const SizeFormula weights{.factor = 4, .powers = {1, 2}};
  std::size_t of_rows = 0;
  std::size_t of_weights = 0;
  for (const Demand& demand : found.variants[0].demands) {
    of_rows += demand.formula == rows ? 1U : 0U;
    of_weights += demand.formula == weights ? 1U : 0U;
  }
  EXPECT_EQ(of_rows, 1U + 2 * 3);  // the embedding, and of each layer the mixed, its copy, and the last
  EXPECT_EQ(of_weights, 2U * 2);
  const PlannedVariants plan = planned(found);
  EXPECT_TRUE(has_formulas(plan.plan.variants[0]));
  EXPECT_GT(plan.reports[0].formulas, of_rows);
  EXPECT_EQ(decode_plan(encode_plan(plan.plan)), plan.plan);
}

TEST(Structures, ABlockOfFewerThanEightShapesHasNoFormula) {
  for (const std::size_t copied : {7U, 8U}) {
    std::size_t several = 0;
    std::vector<Request> requests;
    for (const Request& request : random_requests(60, 1))
      if (request.batch == 1 || several++ < copied) requests.push_back(request);
    const Variants found = variants_of(trace_of_requests(requests));
    ASSERT_EQ(found.variants.size(), 1U);
    const std::vector<Demand>& demands = found.variants[0].demands;
    const auto is_copy = [](const Demand& demand) { return demand.site.offset == 0x22; };
    const auto copy = std::find_if(demands.begin(), demands.end(), is_copy);
    ASSERT_NE(copy, demands.end());
    EXPECT_EQ(copy->formula.exists(), copied == 8) << copied;
  }
}

TEST(Structures, OneNumberHasNoFormulas) {
  std::vector<Request> requests;
  for (Bytes length = 10; length <= 100; length += 3) requests.push_back({.batch = 1, .length = length});
  const Variants found = variants_of(trace_of_requests(requests, {.long_text = 1000}));
  EXPECT_FALSE(has_formulas(planned(found).plan.variants[0]));
}

TEST(Structures, OneTextAtATimeVariesInOneSize) {
  std::vector<Request> requests;
  for (Bytes length = 10; length <= 100; length += 3) requests.push_back({.batch = 1, .length = length});
  const Variants found = variants_of(trace_of_requests(requests, {.long_text = 1000}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].range.varying, (std::vector<VaryingSize>{{.least = 10, .most = 100}}));
}

TEST(Structures, AFewSizesThatComeOnceAreAWarmUpAsBefore) {
  const Trace trace = trace_of_requests({{8, 100}, {4, 50}, {2, 20}, {1, 64}, {1, 64}});
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].shapes, 1U);
  EXPECT_EQ(found.warm_up, 3U);
}

// The last view of the last product is kept beyond the pass: the program reads it there.
TEST(Structures, WhatALoopLeavesBehindSharesItsBytesWithNothing) {
  constexpr std::uint64_t kLastView = 0x53;
  Trace trace = trace_of_requests(random_requests(60, 1));
  testing::leave_last_behind(trace, kLastView);
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 1U);
  const std::vector<Demand>& demands = found.variants[0].demands;
  const Lifetime all{0, static_cast<Time>(demands.size())};
  std::size_t left = 0;
  for (const Demand& demand : demands) {
    EXPECT_TRUE(demand.life != all || demand.site.offset == kLastView);
    left += demand.life == all ? 1U : 0U;
  }
  EXPECT_GE(left, 1U);
}

TEST(Structures, OtherNetworksAreOtherStructures) {
  Trace trace = trace_of_requests(random_requests(20, 1));
  Trace other = trace_of_requests(random_requests(20, 2));
  for (Pass& pass : other.passes)
    for (Allocation& made : pass.allocations) made.site.offset += 0x1000;
  trace.passes.insert(trace.passes.end(), other.passes.begin(), other.passes.end());
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 2U);
  EXPECT_EQ(found.variants[0].runs, 20U);
  EXPECT_EQ(found.variants[1].runs, 20U);
}

// A pass in which a JIT compiles: many allocations that no other pass has.
TEST(Structures, APassThatDoesMuchElseIsNoRunOfTheStructure) {
  Trace trace = trace_of_requests(random_requests(20, 1));
  Pass& compiling = trace.passes[0];
  for (std::uint64_t i = 0; i < 40; ++i) {
    compiling.allocations.push_back({.size = 100,
                                     .freed = true,
                                     .life = {compiling.events, compiling.events + 1},
                                     .site = {.module = 0, .offset = 0x1000 + i}});
    compiling.events += 2;
  }
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].runs, 19U);
  EXPECT_EQ(found.warm_up, 1U);
  EXPECT_EQ(found.before_steady, 1U);
}

// The one makes its first block large and the other its second: together they would need twice the slab of each.
TEST(Structures, ShapesThatDoNotFitIntoOneAnotherStayApart) {
  Trace trace = trace_of_requests({});
  for (Bytes i = 0; i < 12; ++i) {
    Pass pass{.number = static_cast<std::uint64_t>(i) + 1, .name = 1, .complete = true, .events = 4};
    const Bytes large = (1 << 20) + 50'000 * i;
    for (Bytes place = 0; place < 2; ++place)
      pass.allocations.push_back({.size = place == i % 2 ? large : 4096,
                                  .freed = true,
                                  .life = {place, place + 2},
                                  .site = {.module = 0, .offset = 0x10 + static_cast<std::uint64_t>(place)}});
    trace.passes.push_back(std::move(pass));
  }
  for (const Variant& variant : variants_of(trace).variants) EXPECT_EQ(variant.shapes, 1U);
}

// A pass of blocks of 1 to `count` sites from `first` on, which live to its end, each as large as the pass's number makes it.
Pass pass_of_blocks(std::uint64_t number, std::uint64_t first, std::uint64_t count, Bytes bytes) {
  Pass pass{.number = number, .name = 1, .complete = true, .events = static_cast<Time>(2 * count)};
  for (std::uint64_t i = 0; i < count; ++i)
    pass.allocations.push_back({.size = bytes + static_cast<Bytes>(64 * number),
                                .freed = true,
                                .life = {static_cast<Time>(i), static_cast<Time>(count + i)},
                                .site = {.module = 0, .offset = first + i}});
  return pass;
}

// An engine goes one of two ways, by the shape. In one layout the blocks of both would lie beside each other.
TEST(Structures, ShapesThatTakeAnotherWayForTheirLargeBlocksAreParted) {
  Trace trace = trace_of_requests({});
  for (std::uint64_t number = 1; number <= 40; ++number) {
    Pass pass = pass_of_blocks(number, 0x100, 36, 64);
    const Pass own = pass_of_blocks(number, number % 2 == 0 ? 0x200 : 0x300, 4, 1 << 20);
    pass.allocations.insert(pass.allocations.begin() + 10, own.allocations.begin(), own.allocations.end());
    for (std::size_t i = 0; i < pass.allocations.size(); ++i)
      pass.allocations[i].life = {static_cast<Time>(i), static_cast<Time>(pass.allocations.size() + i)};
    pass.events = static_cast<Time>(2 * pass.allocations.size());
    trace.passes.push_back(std::move(pass));
  }
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 2U);
  for (const Variant& variant : found.variants) {
    EXPECT_EQ(variant.runs, 20U);
    EXPECT_EQ(variant.demands.size(), 40U);
  }
}

// Which of six steps a pass has is another choice in each, so that no pass recurs. Behind any warm-up they are requests.
TEST(Structures, PassesBehindTheWarmUpNeedNotRecur) {
  Trace trace = trace_of_requests({});
  for (std::uint64_t number = 1; number <= 40; ++number) {
    Pass pass = pass_of_blocks(number, 0x100, 60, 4096);
    for (std::uint64_t bit = 0; bit < 6; ++bit) {
      if ((number >> bit & 1) == 0) continue;
      Allocation own = pass.allocations.front();
      own.site.offset = 0x1000 + bit;
      pass.allocations.insert(pass.allocations.begin() + static_cast<std::ptrdiff_t>(10 * bit + 5), own);
    }
    for (std::size_t i = 0; i < pass.allocations.size(); ++i)
      pass.allocations[i].life = {static_cast<Time>(i), static_cast<Time>(i + 1)};
    trace.passes.push_back(std::move(pass));
  }
  const Variants found = variants_of(trace);
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_GE(found.variants[0].runs, 40U - kLongestWarmUp);
  EXPECT_GT(found.variants[0].shapes, 20U);
}

class StructuresOf : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Programs, StructuresOf, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "Operators" : "SitesAlone"; });

// The arena itself serves shapes that the profile did not have, and numbers of iterations that it did not have.
TEST_P(StructuresOf, ServeEveryShapeThatTheyDominate) {
  const EncoderOptions options{.operators = GetParam(), .layers = 4};
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const PlannedVariants result =
        planned(variants_of(trace_of_requests(random_requests(60, seed), options)));
    std::vector<Request> requests = random_requests(100, 100 + seed);
    for (Request& request : requests)
      if (request.length < 60) request.batch = request.length % 13 + 1;
    EXPECT_GT(share_served(result.plan, trace_of_requests(requests, options)), 0.99) << "seed " << seed;
  }
}

TEST(Structures, AreNotMuchHigherThanTheirLargestShapeAlone) {
  const PlannedVariants joint = planned(variants_of(trace_of_requests(random_requests(60, 1))));
  const PlannedVariants alone = planned(variants_of(trace_of_requests({{8, 128}, {8, 128}})));
  EXPECT_LE(static_cast<double>(joint.reports[0].height),
            1.05 * static_cast<double>(alone.reports[0].height));
}

// ---- sizes that follow from nothing ----

constexpr Bytes kBackbone = 2 << 20;
using Sizes = std::vector<Bytes>;

// A pass that always begins with the same block, and then makes blocks that live beside each other.
Pass pass_of_boxes(std::uint64_t number, const Sizes& sizes) {
  const auto end = static_cast<Time>(sizes.size()) + 1;
  Pass pass{.number = number, .name = 1, .complete = true, .events = 2 * end};
  for (Time i = 0; i < end; ++i)
    pass.allocations.push_back({.size = i == 0 ? kBackbone : sizes[static_cast<std::size_t>(i - 1)],
                                .freed = true,
                                .life = {i, end + i},
                                .site = {.module = 0, .offset = 0x100 + static_cast<std::uint64_t>(i)}});
  return pass;
}

Trace trace_of_boxes(const std::vector<Sizes>& passes) {
  Trace trace = trace_of_requests({});
  for (const Sizes& sizes : passes) trace.passes.push_back(pass_of_boxes(trace.passes.size() + 1, sizes));
  return trace;
}

// Parts 1 MiB among four blocks.
std::vector<Sizes> random_boxes(std::size_t passes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Sizes> found;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    Sizes cuts{0, 1 << 20};
    for (int cut = 0; cut < 3; ++cut) cuts.push_back(static_cast<Bytes>(random() % (1 << 20)));
    std::sort(cuts.begin(), cuts.end());
    Sizes& sizes = found.emplace_back();
    for (std::size_t i = 0; i < 4; ++i) sizes.push_back(cuts[i + 1] - cuts[i] + 1);
  }
  return found;
}

// No pass comes twice. The largest blocks of all passes take half as much again as any pass does.
TEST(Structures, HaveOneLayoutForSizesThatFollowFromNothing) {
  const Variants found = variants_of(trace_of_boxes(random_boxes(60, 1)));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].runs, 60U);
  EXPECT_EQ(found.variants[0].demands[0].size, kBackbone);
  const PlannedVariants result = planned(found);
  EXPECT_GT(result.reports[0].height, (kBackbone + (1 << 20)) * 5 / 4);
  EXPECT_GT(share_served(result.plan, trace_of_boxes(random_boxes(200, 2))), 0.95);
}

// Each pass has another of its blocks large: four large ones would lie beside each other, where one is alive.
TEST(Structures, AreNotMadeOfSizesThatWouldTakeMuchMoreThanAnyPass) {
  std::vector<Sizes> passes;
  for (Bytes pass = 0; pass < 40; ++pass) {
    Sizes& sizes = passes.emplace_back(4, 64 + pass);
    sizes[static_cast<std::size_t>(pass % 4)] = 2 * kBackbone + pass;
  }
  const Variants found = variants_of(trace_of_boxes(passes));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].shapes, 1U);
}

// ---- several models, without keys ----

// A pass that holds a first block to its end, as an interpreter does, and makes large blocks from sites of its model.
Pass pass_of_model(std::uint64_t number, std::uint64_t model) {
  Pass pass{.number = number, .name = 1, .complete = true, .events = 14};
  pass.allocations.push_back(
      {.size = 8192, .freed = true, .life = {0, 13}, .site = {.module = 0, .offset = 0x10}});
  for (Time i = 0; i < 6; ++i)
    pass.allocations.push_back(
        {.size = 1 << 20,
         .freed = true,
         .life = {1 + 2 * i, 2 + 2 * i},
         .site = {.module = 0, .offset = 0x100 * (1 + model) + static_cast<std::uint64_t>(i)}});
  return pass;
}

TEST(Models, WhosePassesPartWhileABlockLivesAreServedInTurn) {
  Trace trace = trace_of_requests({});
  for (std::uint64_t number = 1; number <= 20; ++number)
    trace.passes.push_back(pass_of_model(number, number / 2 % 3));
  const PlannedVariants result = planned(variants_of(trace));
  EXPECT_EQ(result.plan.variants.size(), 3U);
  EXPECT_EQ(dry_run(result.plan, trace).missed(), 0U);
}

// ---- parts ----

TEST(Alignment, FindsWhatIsCommonInOrder) {
  const std::vector<std::uint64_t> base{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint64_t> other{1, 3, 9, 4, 8, 6};
  const auto found = align(base, other);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (std::vector<std::uint32_t>{0, 2, kUnaligned, 3, kUnaligned, 5}));
  EXPECT_EQ(count_aligned(*found), 4U);
  const Merged merged = merge(base.size(), *found);
  EXPECT_EQ(merged.elements.size(), 8U);
  EXPECT_EQ(merged.base, (std::vector<std::uint32_t>{0, 1, 2, 4, 6, 7}));
  EXPECT_EQ(merged.other, (std::vector<std::uint32_t>{0, 2, 3, 4, 5, 7}));
}

}  // namespace
}  // namespace memo::planner
