#include "planner/steps/variants.h"
#include "planner/layout/find_variants.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "planner/check/dry_run.h"
#include "planner/layout/plan_variants.h"
#include "planner/registry/registry.h"
#include "planner/steps/parallel_scopes.h"

namespace memo::planner {
namespace {

// A pass written as a story: `allocate` returns a handle that `release` ends, positions counted as the reader
// does.
class Story {
 public:
  explicit Story(std::uint64_t number, std::uint64_t key = 0) {
    pass_.number = number;
    pass_.key = key;
    pass_.complete = true;
    pass_.name = 1;
  }
  std::size_t allocate(Bytes size, std::uint64_t site, Bytes alignment = 16) {
    pass_.allocations.push_back({.size = size,
                                 .alignment = alignment,
                                 .escapes = true,
                                 .life = {pass_.events, pass_.events + 1},
                                 .site = {.module = 0, .offset = site}});
    ++pass_.events;
    return pass_.allocations.size() - 1;
  }
  void release(std::size_t handle) {
    Allocation& allocation = pass_.allocations[handle];
    allocation.freed = true;
    allocation.escapes = false;
    allocation.life.end = pass_.events++;
  }
  [[nodiscard]] Pass end() {
    for (Allocation& allocation : pass_.allocations)
      if (!allocation.freed) allocation.life.end = pass_.events;
    return pass_;
  }

 private:
  Pass pass_;
};

Trace trace_of(std::vector<Pass> passes, const std::string& build_id = "aa") {
  Trace trace;
  trace.names = {"?", "forward"};
  trace.modules = {{.path = "/srv/libnet.so", .build_id = build_id}};
  trace.passes = std::move(passes);
  return trace;
}

Pass two_blocks(std::uint64_t number, Bytes first, Bytes second, bool first_dies_early) {
  Story story(number);
  const auto a = story.allocate(first, 0x10);
  if (first_dies_early) story.release(a);
  const auto b = story.allocate(second, 0x20);
  if (!first_dies_early) story.release(a);
  story.release(b);
  return story.end();
}

TEST(Variants, APassThatNeverRecursIsWarmUp) {
  const Trace trace = trace_of(
      {two_blocks(1, 9000, 9000, true), two_blocks(2, 4096, 8192, true), two_blocks(3, 4096, 8192, true)});
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.warm_up, 1U);
  EXPECT_EQ(found.passes, 3U);
  EXPECT_TRUE(found.steady);
  EXPECT_EQ(found.variants[0].runs, 2U);
  EXPECT_EQ(found.variants[0].demands[0].size, 4096);
}

// A profile that ended too early: small passes of the start recur, and the program's real pass came once.
TEST(Variants, ALastPassThatIsTheLargestAndCameOnceIsNoted) {
  const auto asked = [](std::vector<Pass> passes) {
    const Trace trace = trace_of(std::move(passes));
    return find_variants(DistinctPasses({&trace, 1})).asked_by_last_alone;
  };
  const auto small = [](std::uint64_t number) { return two_blocks(number, 100, 200, true); };
  const auto large = [](std::uint64_t number) { return two_blocks(number, 4096, 8192, true); };
  EXPECT_EQ(asked({small(1), small(2), large(3)}), 12288);
  EXPECT_EQ(asked({small(1), large(2), small(3)}), 0) << "it is not the last";
  EXPECT_EQ(asked({large(1), large(2), small(3)}), 0) << "it is not the largest";
  EXPECT_EQ(asked({small(1), large(2), large(3)}), 0) << "it is planned";
  EXPECT_EQ(asked({large(1)}), 0) << "it is planned, as the only one";
}

// The passes of a kind that came before the first that recurs are its warm-up, and the plan says how many. One in
// between is none: it is a request of another shape.
TEST(Variants, ThePassesBeforeTheFirstThatRecursAreCounted) {
  const Trace jit = trace_of({two_blocks(1, 9000, 9000, true), two_blocks(2, 9100, 9100, true),
                              two_blocks(3, 4096, 8192, true), two_blocks(4, 500, 700, true),
                              two_blocks(5, 4096, 8192, true)});
  EXPECT_EQ(find_variants(DistinctPasses({&jit, 1})).before_steady, 2U);
  const Trace eager = trace_of({two_blocks(1, 4096, 8192, true), two_blocks(2, 4096, 8192, true)});
  EXPECT_EQ(find_variants(DistinctPasses({&eager, 1})).before_steady, 0U);
  const Trace both[] = {eager, jit};
  EXPECT_EQ(find_variants(DistinctPasses(both)).before_steady, 2U);
}

// Loading may call another function under the same key, which recurs at once: the warm-up of the network comes after it.
TEST(Variants, EachFunctionOfAKeyWarmsUpForItself) {
  std::vector<Pass> passes;
  for (std::uint64_t number = 1; number <= 7; ++number) {
    passes.push_back(two_blocks(number, 100, 200, true));
    passes.back().name = 0;
  }
  passes.push_back(two_blocks(8, 9000, 9000, true));    // profiles
  passes.push_back(two_blocks(9, 90'000, 9000, true));  // compiles
  passes.push_back(two_blocks(10, 4096, 8192, true));
  passes.push_back(two_blocks(11, 4096, 8192, true));
  const Trace trace = trace_of(passes);
  EXPECT_EQ(find_variants(DistinctPasses({&trace, 1})).before_steady, 9U);
}

// A replay of the trace tells the warm-up from the rest, as the library does: the plan serves what it was made of.
TEST(Variants, AReplayTellsTheWarmUpFromTheSteadyState) {
  const Trace trace = trace_of({two_blocks(1, 90'000, 90'000, true), two_blocks(2, 4096, 8192, true),
                                two_blocks(3, 4096, 8192, true)});
  const PlanDescription plan =
      plan_variants(find_variants(DistinctPasses({&trace, 1})), *find_strategy("greedy-size"), {}).plan;
  EXPECT_EQ(plan.variants.at(0).warm_up, 1U);
  const DryRun run = dry_run(plan, trace);
  EXPECT_EQ(run.passes, 3U);
  EXPECT_EQ(run.missed(), 2U);
  EXPECT_EQ(run.steady.served, 4U);
  EXPECT_EQ(run.steady.missed, 0U);
}

// What a pass leaves behind keeps its place from the passes before it is freed.
TEST(Variants, AReplayKeepsWhatOutlivesItsPass) {
  const Trace planned = trace_of({two_blocks(1, 4096, 8192, false), two_blocks(2, 4096, 8192, false)});
  const PlanDescription plan =
      plan_variants(find_variants(DistinctPasses({&planned, 1})), *find_strategy("greedy-size"), {}).plan;
  Trace trace = trace_of({});
  for (std::uint64_t number = 1; number <= 4; ++number) {
    trace.passes.push_back(two_blocks(number, 4096, 8192, false));
    trace.passes.back().begin_ns = 100 * number;
  }
  EXPECT_EQ(dry_run(plan, trace).missed(), 0U);
  Allocation& left_behind = trace.passes[1].allocations[1];
  left_behind.escapes = true;
  left_behind.end_ns = 350;
  EXPECT_EQ(dry_run(plan, trace).missed(), 1U);
  left_behind.end_ns = 0;
  EXPECT_EQ(dry_run(plan, trace).missed(), 2U);
}

// Requests of a hundred shapes are no warm-up of a hundred passes, which would hide that nothing is served.
TEST(Variants, AWarmUpHasAnEnd) {
  std::vector<Pass> passes;
  for (std::uint64_t number = 1; number <= 100; ++number)
    passes.push_back(two_blocks(number, 4096, 1000 + 997 * static_cast<Bytes>(number), true));
  passes.push_back(two_blocks(101, 1 << 20, 1 << 20, true));
  passes.push_back(two_blocks(102, 1 << 20, 1 << 20, true));
  const Trace trace = trace_of(passes);
  EXPECT_LE(find_variants(DistinctPasses({&trace, 1})).before_steady, 16U);
}

// One run frees the first block before the second is made, another after: the plan must hold for both.
TEST(Variants, LifetimesAreUnitedOverTheRuns) {
  const Trace trace = trace_of({two_blocks(1, 4096, 8192, true), two_blocks(2, 4096, 8192, false)});
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].demands[0].life, (Lifetime{0, 2}));
  EXPECT_EQ(found.variants[0].demands[1].life, (Lifetime{1, 2}));
}

TEST(Variants, SmallBlocksMayDifferByAFewBytesAndTheLargestIsPlanned) {
  const Trace trace = trace_of({two_blocks(1, 70, 8192, true), two_blocks(2, 75, 8192, true)});
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].demands[0].size, 75);
}

TEST(Variants, ShapesAreTheirOwnVariantsMostFrequentFirst) {
  const Trace trace = trace_of({two_blocks(1, 4096, 8192, true), two_blocks(2, 4096, 8192, true),
                                two_blocks(3, 16384, 8192, true), two_blocks(4, 16384, 8192, true),
                                two_blocks(5, 16384, 8192, true)});
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 2U);
  EXPECT_EQ(found.variants[0].demands[0].size, 16384);
  EXPECT_EQ(found.variants[1].demands[0].size, 4096);
}

Pass block_of(std::uint64_t number, std::uint64_t key, Bytes size) {
  Story story(number, key);
  story.release(story.allocate(size, 0x10));
  return story.end();
}

// The arena changes between variants that follow each other, so those of a key do, whatever their runs are.
TEST(Variants, ThoseOfAKeyFollowEachOther) {
  std::vector<Pass> passes;
  for (const auto& [key, size, runs] :
       {std::tuple<std::uint64_t, Bytes, int>{1, 4096, 4}, {2, 4096, 3}, {1, 9000, 2}}) {
    for (int run = 0; run < runs; ++run) passes.push_back(block_of(passes.size() + 1, key, size));
  }
  const Trace trace = trace_of(std::move(passes));
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 3U);
  EXPECT_EQ(found.variants[0].key, 1U);
  EXPECT_EQ(found.variants[1].key, 1U);
  EXPECT_EQ(found.variants[2].key, 2U);
}

TEST(Variants, WhatOutlivesAPassOnceIsLeftToTheHeap) {
  Story escaping(2);
  const auto a = escaping.allocate(4096, 0x10);
  escaping.release(a);
  escaping.allocate(8192, 0x20);
  const Trace trace = trace_of({two_blocks(1, 4096, 8192, true), escaping.end()});
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].demands[0].zone, PlanZone::kLarge);
  EXPECT_EQ(found.variants[0].demands[1].zone, PlanZone::kKept);
}

// The second process mapped another library first, so the same file has another index there.
TEST(Variants, TracesOfSeveralProcessesAreMergedByBuildId) {
  const Trace first = trace_of({two_blocks(1, 4096, 8192, true)});
  Trace second = trace_of({two_blocks(1, 4096, 8192, true)});
  second.modules.insert(second.modules.begin(), {.path = "/lib/libother.so", .build_id = "bb"});
  for (Allocation& allocation : second.passes[0].allocations) allocation.site.module = 1;
  const Trace traces[] = {first, second};
  const Variants found = find_variants(DistinctPasses(traces));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].runs, 2U);
}

TEST(Variants, AnotherBuildOfTheLibraryIsAnotherPass) {
  const Trace traces[] = {trace_of({two_blocks(1, 4096, 8192, true)}, "aa"),
                          trace_of({two_blocks(1, 4096, 8192, true)}, "cc")};
  EXPECT_FALSE(find_variants(DistinctPasses(traces)).steady);
}

TEST(Variants, ASinglePassIsBetterThanNoPlan) {
  const Trace trace = trace_of({two_blocks(1, 9000, 9000, true), two_blocks(2, 4096, 8192, true)});
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_FALSE(found.steady);
  EXPECT_EQ(found.warm_up, 1U);
  EXPECT_EQ(found.variants[0].demands[0].size, 4096);
}

// Operators are ordered by the clock, whatever thread they ran on; an operator inside another is no company.
TEST(Variants, OperatorsThatOverlapInTimeAreKnown) {
  Pass pass = two_blocks(1, 4096, 8192, true);
  pass.scopes = {{.begin_ns = 10, .end_ns = 30},
                 {.begin_ns = 20, .end_ns = 40},
                 {.parent = 1, .begin_ns = 32, .end_ns = 38},
                 {.begin_ns = 40, .end_ns = 50}};
  Pass other = pass;
  other.scopes[3].begin_ns = 35;
  const Trace trace = trace_of({pass, other});
  using Pairs = std::vector<ScopePair>;
  EXPECT_EQ(parallel_scopes(pass), (Pairs{{0, 1}}));
  EXPECT_EQ(find_variants(DistinctPasses({&trace, 1})).variants.at(0).parallel,
            (Pairs{{0, 1}, {1, 3}, {2, 3}}));
}

// Scope 0 makes a block that scopes 1 and 2 read, and scope 3 goes on from 2.
Pass with_branches() {
  Pass pass = two_blocks(1, 4096, 8192, true);
  pass.scopes.clear();
  for (std::uint64_t i = 0; i < 4; ++i) pass.scopes.push_back({.begin_ns = 10 * i, .end_ns = 10 * i + 5});
  const Access trunk{.tagged = 1, .size = 64};
  const Access branch{.tagged = 2, .size = 64};
  const Access other{.tagged = 3, .size = 64};
  pass.operations = {{.scope = 0, .writes = {trunk}},
                     {.scope = 1, .reads = {trunk}, .writes = {branch}},
                     {.scope = 2, .reads = {trunk}, .writes = {other}},
                     {.scope = 3, .reads = {other}, .writes = {{.tagged = 4, .size = 64}}}};
  return pass;
}

// Nothing overlapped in time, and yet the branches may run at once: 1 beside 2 and 3. What 0 hands on may be waited for by 1
// while 3 runs.
TEST(Variants, BranchesOfTheDataFlowAreParallel) {
  using Pairs = std::vector<ScopePair>;
  EXPECT_EQ(parallel_scopes(with_branches()), (Pairs{{1, 2}, {1, 3}}));
  EXPECT_EQ(outlasting_scopes(with_branches()), (Pairs{{0, 1}, {0, 2}, {0, 3}, {2, 1}}));
  const Trace trace = trace_of({with_branches(), with_branches()});
  const Variant found = find_variants(DistinctPasses({&trace, 1})).variants.at(0);
  EXPECT_EQ(found.parallel, (Pairs{{1, 2}, {1, 3}}));
  EXPECT_EQ(found.outlasting.size(), 4U);
}

// Passes with data flow have blocks of those who watch. Where the same passes were recorded without, these are what is planned,
// and take over the branches.
TEST(Variants, DataFlowIsLentToPassesThatNobodyWatched) {
  Pass watched = with_branches();
  watched.allocations.push_back(watched.allocations.back());
  Pass plain = with_branches();
  plain.operations.clear();
  const Trace both[] = {trace_of({watched, watched}), trace_of({plain, plain})};
  const Variants found = find_variants(DistinctPasses(both));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].demands.size(), plain.allocations.size());
  EXPECT_EQ(found.variants[0].parallel.size(), 2U);
  EXPECT_EQ(found.variants[0].outlasting.size(), 4U);
  EXPECT_FALSE(found.watched);
  EXPECT_TRUE(find_variants(DistinctPasses({both, 1})).watched);
}

TEST(Variants, WithoutDataFlowNothingOutlasts) {
  EXPECT_TRUE(outlasting_scopes(two_blocks(1, 4096, 8192, true)).empty());
}

TEST(Variants, CutOffPassesAreNotUsed) {
  Pass cut = two_blocks(3, 4096, 8192, true);
  cut.complete = false;
  const Trace trace = trace_of({two_blocks(1, 4096, 8192, true), two_blocks(2, 4096, 8192, true), cut});
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  EXPECT_EQ(found.incomplete, 1U);
  EXPECT_EQ(found.variants.at(0).runs, 2U);
}

constexpr Bytes kUnit = 64 << 10;  // of the branches' blocks

// Returns a pass of branches, in the order of the digits: each needs a block for itself, and leaves one for the end.
Pass branches_in(const std::string& order, std::uint64_t number, Bytes before) {
  constexpr Bytes kOwn[] = {1, 6, 2, 4};
  constexpr Bytes kLeft[] = {4, 1, 3, 2};
  Story story(number);
  std::vector<std::size_t> left{story.allocate(before, 0x10)};
  for (const char digit : order) {
    const auto branch = static_cast<std::size_t>(digit - '0');
    const auto own = story.allocate(kOwn[branch] * kUnit, 0x10);
    left.push_back(story.allocate(kLeft[branch] * kUnit, 0x10));
    story.release(own);
  }
  for (const std::size_t handle : left) story.release(handle);
  return story.end();
}

// `before` is a block that each pass has as its first.
Trace branches_in(const std::vector<std::string>& orders, Bytes before = kUnit) {
  std::vector<Pass> passes;
  for (const std::string& order : orders)
    for (int run = 0; run < 2; ++run) passes.push_back(branches_in(order, passes.size() + 1, before));
  return trace_of(std::move(passes));
}

// Two orders are two variants. Of more there may be any number.
TEST(Variants, LargeBlocksInThreeOrdersAreNoted) {
  const Trace two = branches_in({"0123", "3210"});
  for (const Variant& variant : find_variants(DistinctPasses({&two, 1})).variants)
    EXPECT_FALSE(variant.has_orders);
  const Trace three = branches_in({"0123", "3210", "1032"});
  const Variants found = find_variants(DistinctPasses({&three, 1}));
  ASSERT_EQ(found.variants.size(), 3U);
  for (const Variant& variant : found.variants) EXPECT_TRUE(variant.has_orders);
}

// Beside a large block the branches are small, and find room where it is not.
TEST(Variants, TheOrderOfBlocksThatAreSmallBesideTheLargestIsNotNoted) {
  const Trace trace = branches_in({"0123", "3210", "1032"}, 1024 * kUnit);
  for (const Variant& variant : find_variants(DistinctPasses({&trace, 1})).variants)
    EXPECT_FALSE(variant.has_orders);
}

}  // namespace
}  // namespace memo::planner
