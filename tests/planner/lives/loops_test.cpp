// Passes that repeat a part of themselves become one variant whose loop serves any number of iterations: from traces that
// are built step by step, and from random ones, whose plans are checked for numbers of iterations that no trace had.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "planner/check/check.h"
#include "planner/check/check_plan.h"
#include "planner/check/dry_run.h"
#include "planner/check/servable.h"
#include "planner/layout/find_variants.h"
#include "planner/layout/plan_variants.h"
#include "planner/layout/selection.h"
#include "planner/registry/registry.h"
#include "tests/planner/lives/left_behind.h"

namespace memo::planner {
namespace {

constexpr int kIterationsToEnd = 1000;

// An allocation of a part, and where it is freed: before the allocation `to` of the part that is so many iterations later (in
// the frame: of the part before, or after). The end of a part is the begin of the next.
struct Block {
  Bytes size = 64;
  int through = 0;
  std::size_t to = SIZE_MAX;
};

struct Network {
  std::vector<Block> before, body, behind;
  bool operators = false;
};

// Positions count allocations and frees; a block that is freed before an allocation is freed right before it.
class Unrolled {
 public:
  Unrolled(const Network& network, int iterations) : network_(network), iterations_(iterations) {}

  [[nodiscard]] Pass pass(std::uint64_t number) {
    pass_.number = number;
    pass_.name = 1;
    pass_.complete = true;
    part(network_.before, 0x100, -1);
    for (int i = 0; i < iterations_; ++i) part(network_.body, 0x200, i);
    part(network_.behind, 0x300, iterations_);
    free_up_to(SIZE_MAX);
    return std::move(pass_);
  }

 private:
  [[nodiscard]] std::size_t size_of(int iteration) const {
    if (iteration < 0) return network_.before.size();
    return iteration < iterations_ ? network_.body.size() : network_.behind.size();
  }
  // Counts allocations from the pass's begin.
  [[nodiscard]] std::size_t rank(int iteration, std::size_t place) const {
    std::size_t rank = std::min(place, size_of(iteration));
    if (iteration >= 0) rank += network_.before.size();
    return rank + network_.body.size() * static_cast<std::size_t>(std::clamp(iteration, 0, iterations_));
  }

  void part(const std::vector<Block>& blocks, std::uint64_t site, int iteration) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::size_t born = pass_.allocations.size();
      free_up_to(born);
      const int last = std::min(iterations_, iteration + blocks[i].through);
      dies_.emplace(std::max(born + 1, rank(last, blocks[i].to)), born);
      const std::uint64_t where = site + (network_.operators ? 0 : i);
      if (network_.operators) begin_scope(site + i);
      pass_.allocations.push_back(
          {.size = blocks[i].size,
           .alignment = 16,
           .freed = true,
           .life = {pass_.events, pass_.events + 1},
           .site = {.module = 0, .offset = network_.operators ? 1 : where},
           .scope = network_.operators ? static_cast<ScopeIndex>(pass_.scopes.size() - 1) : kNone});
      ++pass_.events;
    }
  }
  void begin_scope(std::uint64_t name) {
    pass_.scopes.push_back({.name = static_cast<NameIndex>(name), .life = {pass_.events, pass_.events + 1}});
  }
  void free_up_to(std::size_t rank) {
    while (!dies_.empty() && dies_.begin()->first <= rank) {
      pass_.allocations[dies_.begin()->second].life.end = pass_.events++;
      dies_.erase(dies_.begin());
    }
  }

  const Network& network_;
  int iterations_;
  Pass pass_;
  std::multimap<std::size_t, std::size_t> dies_;  // before which allocation → which one
};

Trace trace_of(const Network& network, const std::vector<int>& lengths) {
  Trace trace;
  trace.names.resize(0x400);
  for (std::size_t i = 0; i < trace.names.size(); ++i) trace.names[i] = "name" + std::to_string(i);
  trace.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  for (const int length : lengths)
    trace.passes.push_back(Unrolled(network, length).pass(trace.passes.size() + 1));
  return trace;
}

Variants variants_of(const Network& network, const std::vector<int>& lengths) {
  const Trace trace = trace_of(network, lengths);
  return find_variants(DistinctPasses({&trace, 1}));
}

PlannedVariants planned(const Variants& variants) {
  PlannedVariants result = plan_variants(variants, *find_strategy("greedy-size"), {});
  EXPECT_TRUE(check_plan(result.plan).valid()) << check_plan(result.plan).sentence;
  require_servable(result.plan);
  return result;
}

// Two blocks before, two behind, and a body of three, of which the first is freed behind its successor.
Network recurrent() {
  return {.before = {{.size = 100, .through = kIterationsToEnd}, {.size = 5000, .through = 1, .to = 0}},
          .body = {{.size = 9000, .through = 1, .to = 1}, {.size = 300}, {.size = 20000}},
          .behind = {{.size = 700}, {.size = 800}}};
}

TEST(Loops, MakeOneVariantOfPassesOfDifferentLength) {
  const Variants found = variants_of(recurrent(), {20, 50});
  ASSERT_EQ(found.variants.size(), 1U);
  const Variant& variant = found.variants.front();
  EXPECT_EQ(variant.runs, 2U);
  ASSERT_EQ(variant.loops.size(), 1U);
  const VariantLoop& loop = variant.loops.front();
  EXPECT_EQ(loop.first_demand, 2U);
  EXPECT_EQ(loop.demands, 3U);
  EXPECT_EQ(loop.period, 2U);
  EXPECT_EQ(loop.lengths, (std::vector<std::size_t>{20, 50}));
  EXPECT_EQ(variant.demands.size(), 2U + 2 * 3 + 2);
}

// Behind the last iteration comes the first step of another one, as behind a generator's last token. The loop begins after that
// step: so its first call site is none that follows it, and a pass shows where it goes on.
TEST(Loops, BeginAfterTheStepsWithWhichTheirEndGoesOn) {
  Trace trace = trace_of(recurrent(), {20, 50});
  for (Pass& pass : trace.passes)
    for (Allocation& made : pass.allocations)
      if (made.site.offset == 0x300) made.site.offset = 0x200;
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  const Variant& variant = found.variants.front();
  ASSERT_EQ(variant.loops.size(), 1U);
  const VariantLoop& loop = variant.loops.front();
  EXPECT_EQ(loop.first_demand, 3U);
  EXPECT_EQ(loop.lengths, (std::vector<std::size_t>{20, 50}));
  EXPECT_EQ(variant.demands[loop.first_demand].site.offset, 0x201U);
  EXPECT_EQ(variant.demands[loop.first_demand + loop.period * loop.demands].site.offset, 0x301U);
}

TEST(Loops, AreFoundByTheirOperatorsWhereAllCallersAreOne) {
  Network network = recurrent();
  network.operators = true;
  const Variants found = variants_of(network, {20, 50});
  ASSERT_EQ(found.variants.size(), 1U);
  ASSERT_EQ(found.variants[0].loops.size(), 1U);
  EXPECT_EQ(found.variants[0].loops[0].scopes, 3U);
  EXPECT_EQ(found.variants[0].loops[0].first_scope, 2U);
  EXPECT_EQ(found.variants[0].scopes.size(), found.variants[0].demands.size());
}

// What is freed before its successor is made needs one place; what two successors see needs three.
TEST(Loops, RepeatAfterAsManyIterationsAsABlockNeedsPlaces) {
  for (const auto& [through, to, period] : {std::tuple{0, SIZE_MAX, 1U},
                                            {1, std::size_t{0}, 1U},
                                            {1, std::size_t{1}, 2U},
                                            {2, std::size_t{0}, 2U},
                                            {2, std::size_t{2}, 3U},
                                            {4, std::size_t{0}, 4U},
                                            {5, std::size_t{0}, 5U},
                                            {8, std::size_t{0}, 8U},
                                            {11, std::size_t{2}, 12U},
                                            {16, std::size_t{0}, 16U}}) {
    Network network = recurrent();
    network.body[0] = {.size = 9000, .through = through, .to = to};
    const Variants found = variants_of(network, {20, 50});
    ASSERT_EQ(found.variants.size(), 1U);
    ASSERT_EQ(found.variants[0].loops.size(), 1U);
    EXPECT_EQ(found.variants[0].loops[0].period, period) << through << " iterations, up to " << to;
  }
}

// x[c] = f(x[c - 8]): all is planned, and the arena serves it in passes of any length.
TEST(Loops, ServeWhatLooksFarBack) {
  for (const int through : {5, 8, 12}) {
    Network network = recurrent();
    network.body[1] = {.size = 40000, .through = through, .to = 1};
    const Variants found = variants_of(network, {20, 50});
    ASSERT_EQ(found.variants.size(), 1U);
    const PlannedVariants result = plan_variants(found, *find_strategy("greedy-size"), {});
    ASSERT_TRUE(check_plan(result.plan).valid()) << check_plan(result.plan).sentence;
    EXPECT_EQ(result.reports[0].loops.at(0).period, static_cast<std::size_t>(through));
    EXPECT_EQ(result.plan.variants[0].unplanned, 0U);
    EXPECT_EQ(dry_run(result.plan, trace_of(network, {50, 13, 20, 47, 131, 14})).missed(), 0U);
  }
}

// Sixteen times a body of many large blocks, for one small block that another iteration frees.
TEST(Loops, LookNoFurtherBackThanPays) {
  Network network = recurrent();
  network.body[1] = {.size = 300, .through = 16, .to = 1};
  network.body.insert(network.body.end(), 40, {.size = 100000, .through = 1, .to = 0});
  const Variants found = variants_of(network, {20, 50});
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].loops.at(0).period, 2U);
  EXPECT_EQ(why_unplanned(found.variants[0].demands[3]), "outlives too many iterations of its loop");
}

// A loop that is as long as its list would have a place for each block of it, and none in a longer pass.
TEST(Loops, DoNotTakeAListForWhatLooksBack) {
  Network network = recurrent();
  network.body[1] = {.size = 40000, .through = kIterationsToEnd, .to = 1};
  const Variants found = variants_of(network, {6, 9});
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].loops.at(0).period, 2U);
}

// Each iteration's result lives to the end: no number of places would do.
TEST(Loops, LeaveResultsThatPileUpToTheHeap) {
  Network network = recurrent();
  network.body[1].through = kIterationsToEnd;
  network.body[1].to = 1;
  const Variants found = variants_of(network, {20, 50});
  ASSERT_EQ(found.variants.size(), 1U);
  const Variant& variant = found.variants.front();
  ASSERT_EQ(variant.loops[0].period, 2U);
  EXPECT_EQ(why_unplanned(variant.demands[3]), "outlives too many iterations of its loop");
  EXPECT_EQ(why_unplanned(variant.demands[6]), "outlives too many iterations of its loop");
  EXPECT_EQ(why_unplanned(variant.demands[2]), "");
}

// The last iteration makes the answer, which the program keeps through the next pass.
TEST(Loops, GiveBytesOfItsOwnToWhatTheLastIterationLeaves) {
  Trace trace = trace_of(recurrent(), {20, 50});
  testing::leave_last_behind(trace, 0x202);
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  const Variant& variant = found.variants.front();
  ASSERT_EQ(variant.loops[0].period, 2U);
  ASSERT_EQ(variant.demands.size(), 10U);
  for (const std::size_t answer : {4U, 7U}) {
    EXPECT_EQ(why_unplanned(variant.demands[answer]), "");
    EXPECT_EQ(variant.demands[answer].life, (Lifetime{0, 10}));
  }
  EXPECT_EQ(variant.demands[3].life.begin, 3);
}

// The size of an allocation may depend on the iteration, or on how many there were.
TEST(Loops, HoldTheLargestInstanceOfEachAllocation) {
  Trace trace = trace_of(recurrent(), {20, 50});
  for (Pass& pass : trace.passes) {
    for (std::size_t i = 0; i < pass.allocations.size(); ++i)
      if (pass.allocations[i].site.offset == 0x201) pass.allocations[i].size = static_cast<Bytes>(100 * i);
  }
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].demands[3].size, 100 * (2 + 49 * 3 + 1));
}

// ---- what grows ----

constexpr Bytes kRow = 4096;

// In iteration k the allocations at these places of the body are k rows.
Trace growing_trace(const Network& network, const std::vector<int>& lengths,
                    const std::set<std::uint64_t>& places, Bytes row = kRow) {
  Trace trace = trace_of(network, lengths);
  for (Pass& pass : trace.passes) {
    std::map<std::uint64_t, Bytes> rows;
    for (Allocation& made : pass.allocations)
      if (places.contains(made.site.offset)) made.size = row * ++rows[made.site.offset];
  }
  return trace;
}

Variant growing_variant(const Network& network, const std::set<std::uint64_t>& places, Bytes row = kRow) {
  const Trace trace = growing_trace(network, {20, 50}, places, row);
  return find_variants(DistinctPasses({&trace, 1})).variants.at(0);
}

// Two places for one that is handed on are no more than the old and the new on the heap, whose sizes are rounded up.
TEST(Loops, KeepOneCacheThatGrowsInTheSlab) {
  const Variant variant = growing_variant(recurrent(), {0x200, 0x202});
  const GrowingBuffers& growing = variant.loops.at(0).growing;
  EXPECT_EQ(growing.buffers, 2U);
  EXPECT_EQ(growing.handed_on, 1U);
  EXPECT_EQ(growing.heap, (50 + 49) * kRow * 9 / 8);
  EXPECT_EQ(growing.slab, 2 * 50 * kRow);
  EXPECT_EQ(growing.home(), Growing::kInSlab);
  for (const std::size_t demand : {2U, 4U, 5U, 7U}) {
    EXPECT_EQ(variant.demands[demand].size, 50 * kRow);
    EXPECT_EQ(variant.demands[demand].growth, kRow);
    EXPECT_EQ(why_unplanned(variant.demands[demand]), "");
  }
  EXPECT_EQ(variant.demands[3].growth, 0);
}

constexpr std::size_t kCaches = 4;
const std::set<std::uint64_t> kGrowingPlaces = {0x200, 0x201, 0x202, 0x203, 0x204};

// Each iteration copies the caches one after the other, and has a buffer besides that grows and one that does not.
Network many_caches() {
  Network network = recurrent();
  network.body.assign(kCaches, network.body[0]);
  for (std::size_t place = 0; place < kCaches; ++place) network.body[place].to = place + 1;
  network.body.push_back({.size = 300});
  network.body.push_back({.size = 300});
  return network;
}

// Four at once would have eight places, where five blocks are alive. What is freed in its iteration stays, and no place
// is left for what went.
TEST(Loops, ShareCellsWhereManyCachesGrow) {
  const Variant variant = growing_variant(many_caches(), kGrowingPlaces);
  ASSERT_EQ(variant.loops.size(), 1U);
  const GrowingBuffers& growing = variant.loops[0].growing;
  EXPECT_EQ(growing.buffers, 5U);
  EXPECT_EQ(growing.handed_on, 4U);
  EXPECT_EQ(growing.heap, (4 * 50 + 49) * kRow / 8 * 9);
  EXPECT_EQ(growing.slab, 8 * 50 * kRow);
  EXPECT_EQ(growing.pools, 5 * 50 * kRow);
  EXPECT_EQ(growing.home(), Growing::kInPools);
  EXPECT_EQ(variant.loops[0].period, 1U);
  for (std::size_t place = 0; place < kCaches; ++place) {
    EXPECT_EQ(variant.demands[2 + place].zone, PlanZone::kPool);
    EXPECT_EQ(variant.demands[2 + place].pool, 1U);
    EXPECT_EQ(variant.demands[2 + place].cells, 5U);
  }
  EXPECT_EQ(variant.demands[6].zone, PlanZone::kLarge);
  EXPECT_EQ(why_unplanned(variant.demands[6]), "");
  EXPECT_EQ(variant.demands[6].growth, kRow);
}

// No cell holds a block of so many bytes.
TEST(Loops, LeaveManyLargeCachesThatGrowToTheHeap) {
  constexpr Bytes kLargeRow = static_cast<Bytes>(kMaxCellBytes) / 49;
  const Variant variant = growing_variant(many_caches(), kGrowingPlaces, kLargeRow);
  ASSERT_EQ(variant.loops.size(), 1U);
  const GrowingBuffers& growing = variant.loops[0].growing;
  EXPECT_FALSE(growing.pools.has_value());
  EXPECT_EQ(growing.home(), Growing::kOnHeap);
  EXPECT_EQ(variant.loops[0].period, 1U);
  for (std::size_t place = 0; place < kCaches; ++place)
    EXPECT_EQ(why_unplanned(variant.demands[2 + place]),
              "grows with each iteration of its loop, and takes less there");
  EXPECT_EQ(why_unplanned(variant.demands[6]), "");
  EXPECT_EQ(variant.demands[6].growth, kLargeRow);
}

TEST(Loops, GrowOnlyByTheSameInEachIteration) {
  Trace trace = growing_trace(recurrent(), {20, 50}, {0x200});
  for (Pass& pass : trace.passes)
    for (Allocation& made : pass.allocations)
      if (made.size == 7 * kRow) made.size += 64;
  const Variant variant = find_variants(DistinctPasses({&trace, 1})).variants.at(0);
  EXPECT_EQ(variant.loops.at(0).growing.buffers, 0U);
  for (const Demand& demand : variant.demands) EXPECT_EQ(demand.growth, 0);
}

// A body long enough for an iteration to have steps of its own.
Network long_body() {
  Network network{
      .before = {{.size = 100}, {.size = 200}}, .body = {}, .behind = {{.size = 700}, {.size = 800}}};
  network.body.assign(16, {.size = 300});
  return network;
}

constexpr std::uint64_t kOddSite = 0x900;
constexpr std::size_t kLastPlace = 15;  // no rotation of the body leaves the odd one out there

Variants variants_of_passes(const Network& network, const std::vector<int>& lengths,
                            const std::function<void(Pass&, int length)>& change) {
  Trace trace = trace_of(network, lengths);
  for (std::size_t i = 0; i < lengths.size(); ++i) change(trace.passes[i], lengths[i]);
  return find_variants(DistinctPasses({&trace, 1}));
}

TEST(Loops, BeginBehindAFirstIterationThatIsUnlikeTheOthers) {
  Network network = long_body();
  network.body[kLastPlace].through = kIterationsToEnd;
  const Variants found = variants_of_passes(
      network, {5, 7, 9}, [](Pass& pass, int) { pass.allocations[2 + kLastPlace].site.offset = kOddSite; });
  ASSERT_EQ(found.variants.size(), 1U);
  const Variant& variant = found.variants.front();
  EXPECT_EQ(variant.demands[2 + kLastPlace].site.offset, kOddSite);
  EXPECT_EQ(variant.loops.front().first_demand, 2U + 16U);
  EXPECT_EQ(variant.loops.front().lengths, (std::vector<std::size_t>{4, 6, 8}));
  const Lifetime kept = variant.demands[2 + kLastPlace].life;
  EXPECT_GE(kept.end, 2 + 16 + 16)
      << "what the first iteration leaves has its bytes to itself as long as the loop lasts";
}

// A pass whose first iteration has another step is no run of the variant, which serves all of it but that step.
TEST(Loops, BeginWithAFirstIterationThatFewPassesMakeInAnotherWay) {
  const auto odd = [](Pass& pass, int length) {
    if (length == 6) pass.allocations[2 + kLastPlace].site.offset = kOddSite;
  };
  const Variants found = variants_of_passes(long_body(), {5, 6, 7, 9}, odd);
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants.front().loops.front().first_demand, 2U);
  EXPECT_EQ(found.variants.front().loops.front().lengths, (std::vector<std::size_t>{5, 7, 9}));
  Trace other = trace_of(long_body(), {6});
  odd(other.passes[0], 6);
  EXPECT_EQ(dry_run(planned(found).plan, other).missed(), 1U);
}

// Adds an allocation that the network does not have, before another one of the pass.
void add_odd_allocation(Pass& pass, std::size_t before) {
  const Time at = pass.allocations[before].life.begin;
  for (Allocation& made : pass.allocations) {
    if (made.life.begin >= at) made.life.begin += 2;
    if (made.life.end >= at) made.life.end += 2;
  }
  Allocation odd = pass.allocations[before];
  odd.life = {at, at + 1};
  odd.site.offset = kOddSite;
  pass.allocations.insert(pass.allocations.begin() + static_cast<std::ptrdiff_t>(before), odd);
  pass.events += 2;
}

// A vector to which each iteration appends becomes larger before the fifth: in a pass of four, that is behind the loop.
TEST(Loops, HaveBehindTheirLastIterationWhatComesBetweenOthers) {
  const Variants found = variants_of_passes(long_body(), {5, 4, 7, 9},
                                            [](Pass& pass, int) { add_odd_allocation(pass, 2 + 4 * 16); });
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants.front().loops.front().lengths, (std::vector<std::size_t>{4, 5, 7, 9}));
  EXPECT_EQ(found.variants.front().demands.back().size, 800);
}

// Exact lifetimes are lower than a loop's: a network that always repeats a block as often is planned as it is.
// Behind the odd one come blocks of the body again, which another pass has in its loop: their numbers of steps behind it differ.
TEST(Loops, DoNotJoinPassesWithMoreBehindThem) {
  const Network network{.before = {}, .body = {{.size = 300}}, .behind = {}};
  const Variants found = variants_of_passes(network, {20, 20, 20, 30, 30}, [](Pass& pass, int length) {
    if (length == 20) add_odd_allocation(pass, 10);
  });
  const auto with_odd_one = std::ranges::count_if(found.variants, [](const Variant& variant) {
    return variant.runs == 3 && variant.loops.empty() && variant.demands.size() == 21;
  });
  EXPECT_EQ(with_odd_one, 1);
}

TEST(Loops, AreNotMadeOfWhatIsRepeatedEquallyOften) {
  const Variants found = variants_of(recurrent(), {20, 20, 20});
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_TRUE(found.variants[0].loops.empty());
  EXPECT_EQ(found.variants[0].demands.size(), 2U + 20 * 3 + 2);
}

TEST(Loops, AreNotMadeOfPassesThatDifferBeforeThem) {
  Trace trace = trace_of(recurrent(), {20, 20, 50, 50});
  for (std::size_t pass = 2; pass < 4; ++pass) trace.passes[pass].allocations[0].size = 100000;
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  EXPECT_EQ(found.variants.size(), 2U);
  for (const Variant& variant : found.variants) EXPECT_TRUE(variant.loops.empty());
}

// A decoder whose prompts have lengths of their own: each pass would be alone.
TEST(Loops, FoldPassesOfManySizesBeforeThem) {
  const std::vector<int> lengths = {20, 30, 40, 50, 60, 70};
  Trace trace = trace_of(recurrent(), lengths);
  Bytes size = 1000;
  for (Pass& pass : trace.passes) pass.allocations[0].size = size *= 3;
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants[0].runs, lengths.size());
  ASSERT_EQ(found.variants[0].loops.size(), 1U);
  EXPECT_EQ(found.variants[0].demands[0].size, size);
}

// Gathers a result of so many bytes in each iteration, up to the first allocation behind the loop.
Network gathering(Bytes bytes) {
  Network network = recurrent();
  network.body[1] = {.size = bytes, .through = kIterationsToEnd, .to = 1};
  return network;
}

TEST(Loops, HaveListsForWhatTheyGather) {
  const PlannedVariants result = planned(variants_of(gathering(300), {20, 50}));
  const PlanVariantDescription& variant = result.plan.variants[0];
  ASSERT_EQ(variant.slots.size(), 2U + 2 * 3 + 2);
  for (std::size_t slot = 0; slot < variant.slots.size(); ++slot) {
    const bool gathers = slot == 3 || slot == 6;  // every other iteration's result each
    EXPECT_EQ(variant.slots[slot].zone == PlanZone::kList, gathers) << slot;
    EXPECT_EQ(variant.slots[slot].cells, gathers ? 25U : 0U) << slot;
  }
  EXPECT_EQ(variant.unplanned, 0U);
  EXPECT_EQ(result.reports[0].buffers, variant.slots.size());
}

// The arena itself takes the cells: of runs up to the longest that was seen, all is served.
TEST(Loops, ServeWhatTheyGather) {
  const PlannedVariants result = planned(variants_of(gathering(300), {20, 50}));
  EXPECT_EQ(dry_run(result.plan, trace_of(gathering(300), {50, 1, 4, 33, 49, 50})).missed(), 0U);
  EXPECT_EQ(dry_run(result.plan, trace_of(gathering(300), {60, 20})).missed(), 10U);
}

// The arena finds the cell that is free for each cache, in runs as long as any that was seen. Its own growth serves longer ones
// (lists_test.cpp).
TEST(Loops, ServeManyCachesThatGrowFromOnePool) {
  const auto grown = [](const std::vector<int>& lengths) {
    return growing_trace(many_caches(), lengths, kGrowingPlaces);
  };
  const Trace trace = grown({20, 50});
  const PlannedVariants result = planned(find_variants(DistinctPasses({&trace, 1})));
  const PlanVariantDescription& variant = result.plan.variants[0];
  EXPECT_EQ(variant.unplanned, 0U);
  for (std::size_t slot = 2; slot < 2 + kCaches; ++slot) {
    EXPECT_EQ(variant.slots[slot].zone, PlanZone::kPool);
    EXPECT_EQ(variant.slots[slot].place, variant.slots[2].place);
    EXPECT_EQ(variant.slots[slot].cells, 5U);
  }
  EXPECT_EQ(dry_run(result.plan, grown({50, 1, 4, 33, 49, 50})).missed(), 0U);
}

// Their lists would take more than all else in the slab.
TEST(Loops, HaveSlotsForWhatIsLeftToTheHeap) {
  const PlannedVariants result = planned(variants_of(gathering(1 << 20), {20, 50}));
  const PlanVariantDescription& variant = result.plan.variants[0];
  ASSERT_EQ(variant.slots.size(), 2U + 2 * 3 + 2);
  for (std::size_t slot = 0; slot < variant.slots.size(); ++slot)
    EXPECT_EQ(variant.slots[slot].zone == PlanZone::kHeap, slot == 3 || slot == 6) << slot;
  EXPECT_EQ(variant.unplanned, 2U);
  EXPECT_EQ(result.reports[0].buffers, variant.slots.size() - 2);
}

TEST(Loops, AreNamedInThePlanAndItsReport) {
  const PlannedVariants result = planned(variants_of(recurrent(), {20, 50}));
  ASSERT_EQ(result.plan.variants[0].loops.size(), 1U);
  const PlanLoopDescription& loop = result.plan.variants[0].loops[0];
  EXPECT_EQ(loop, (PlanLoopDescription{.first_slot = 2, .end_slot = 8, .slots = 3}));
  ASSERT_EQ(result.reports[0].loops.size(), 1U);
  EXPECT_EQ(result.reports[0].loops[0].period, 2U);
}

// ---- any number of iterations, at the addresses modulo the period ----

Network random_network(std::mt19937& random, int looks_back) {
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  Network network;
  const auto add = [&](std::vector<Block>& part, std::size_t blocks, int most_through) {
    for (std::size_t i = 0; i < blocks; ++i) {
      Block block{.size = static_cast<Bytes>(1 + below(below(2) == 0 ? 200 : 60000))};
      if (below(3) == 0) block.through = static_cast<int>(below(static_cast<std::size_t>(most_through) + 1));
      if (below(8) == 0) block.through = kIterationsToEnd;
      if (below(2) == 0) block.to = below(12);
      part.push_back(block);
    }
  };
  add(network.before, below(6), 3);
  add(network.body, 2 + below(10), looks_back);
  add(network.behind, below(6), 0);
  network.operators = below(2) == 0;
  return network;
}

// Slots of the plan, by which allocation of a pass has which of them.
struct Places {
  const Variant& variant;
  std::vector<std::uint32_t> slot_of;  // demand → the buffer of its slot, or kNone
  LaidOut laid_out;

  Places(const Variant& source, const PlannedVariants& planned)
      : variant(source), laid_out(lay_out(planned.plan, planned.plan.variants.front())) {
    std::uint32_t slots = 0;
    for (const Demand& demand : variant.demands)
      slot_of.push_back(why_unplanned(demand).empty() ? slots++ : kNone);
  }
  [[nodiscard]] std::uint32_t slot(std::size_t allocation, const Network& network,
                                   std::size_t iterations) const {
    const VariantLoop& loop = variant.loops.front();
    const std::size_t first = network.before.size();
    const std::size_t end = first + iterations * loop.demands;
    if (allocation < first) return slot_of[allocation];
    if (allocation < end)
      return slot_of[first + (allocation - first) % (std::size_t{loop.demands} * loop.period)];
    return slot_of[allocation - end + static_cast<std::size_t>(loop.end())];
  }
};

// Checks blocks that are as large as in the plan, where their slots are, and as long as they live.
Verdict check_unrolled(const Network& network, const Places& places, int iterations) {
  Problem problem;
  Offsets offsets;
  const Pass pass = Unrolled(network, iterations).pass(1);
  for (std::size_t i = 0; i < pass.allocations.size(); ++i) {
    const std::uint32_t slot = places.slot(i, network, static_cast<std::size_t>(iterations));
    if (slot == kNone) continue;
    Buffer buffer = places.laid_out.problem.buffers[slot];
    buffer.life = pass.allocations[i].life;
    problem.buffers.push_back(buffer);
    offsets.push_back(places.laid_out.offsets[slot]);
  }
  return check_by_pairs(problem, offsets);
}

// Checks random networks whose iterations look back so far, profiled with two lengths. With fewer iterations than that, what should be
// freed in a later one lives on behind the loop, as it never did. Returns the longest period.
std::uint32_t check_random_networks(int count, int looks_back, const std::vector<int>& profiled) {
  std::mt19937 random(11);
  std::uint32_t longest = 0;
  for (int number = 0; number < count; ++number) {
    const Network network = random_network(random, looks_back);
    std::set<std::uint64_t> growing;
    for (std::size_t place = 0; place < network.body.size(); ++place)
      if (random() % 4 == 0) growing.insert(0x200 + place);
    const Trace trace = growing_trace(network, profiled, growing);
    const Variants found = find_variants(DistinctPasses({&trace, 1}));
    EXPECT_EQ(found.variants.size(), 1U) << "network " << number;
    EXPECT_EQ(found.variants[0].loops.size(), 1U) << "network " << number;
    if (::testing::Test::HasFailure()) return 0;
    EXPECT_EQ(found.variants[0].loops[0].demands, network.body.size()) << "network " << number;
    longest = std::max(longest, found.variants[0].loops[0].period);
    const PlannedVariants result = planned(found);
    const Places places(found.variants[0], result);
    for (int iterations = looks_back; iterations <= profiled.back() + 5; ++iterations) {
      const Verdict verdict = check_unrolled(network, places, iterations);
      EXPECT_TRUE(verdict.valid()) << "network " << number << ", " << iterations << ": " << verdict.sentence;
    }
  }
  return longest;
}

TEST(Loops, AreSoundForAnyNumberOfIterations) {
  check_random_networks(150, 3, {6, 9});
}

TEST(Loops, AreSoundForAnyNumberOfIterationsHoweverFarTheyLookBack) {
  EXPECT_GT(check_random_networks(100, 14, {30, 41}), 10U);
}

}  // namespace
}  // namespace memo::planner
