// A proof for one shape that holds for all larger ones. The claim is checked against plans that are dropped anew for
// larger shapes, as the library drops them.
#include "planner/sizes/scaling.h"

#include <gtest/gtest.h>

#include "planner/layout/plan_variants.h"
#include "planner/placing/squeeze.h"
#include "planner/registry/registry.h"
#include "planner/sizes/families.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

constexpr Bytes kEach = 1 << 20;  // so large that no slot is a cell

// A pass whose sizes are those of a random problem, times 64 bytes and the batch, and a constant.
Variant shape(const Problem& problem, Bytes batch, Bytes constant) {
  Variant variant{.pass_name = "forward", .runs = 2};
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto begin = static_cast<Time>(i);
    const Time end =
        std::min<Time>(begin + 1 + problem.buffers[i].life.length() % 5, std::ssize(problem.buffers));
    variant.demands.push_back({.size = (kEach + 64 * problem.buffers[i].size) * batch + constant,
                               .alignment = 16,
                               .life = {begin, end},
                               .site = {.module = 0, .offset = 0x10 + i}});
  }
  return variant;
}

PlannedVariants plan(const Problem& problem, Bytes constant = 0) {
  Variants variants;
  variants.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  variants.variants = {shape(problem, 1, constant), shape(problem, 3, constant)};
  join_families(variants);
  return plan_variants(variants, *find_strategy("auto"), {.nodes = 10'000});
}

// The problem at `batch`, with the places that the plan has at batch 3.
Problem at_batch(const PlanVariantDescription& variant, Bytes batch, Offsets& places) {
  Problem problem;
  for (std::uint32_t i = 0; i < variant.slots.size(); ++i) {
    const PlanSlotDescription& slot = variant.slots[i];
    const SlotLife life = life_of(variant, i);
    problem.buffers.push_back({.life = {life.begin, life.end},
                               .size = static_cast<Bytes>(slot.size) / 3 * batch,
                               .alignment = 64,
                               .fixed = {}});
    places.push_back(static_cast<Offset>(slot.place));
  }
  return problem;
}

TEST(Scaling, TheBoundIsMetForEveryLargerBatch) {
  int proved = 0;
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const PlannedVariants planned = plan(random_problem(seed, 4 + static_cast<int>(seed)));
    ASSERT_EQ(planned.plan.variants.size(), 1U);
    EXPECT_TRUE(all_sizes_scale(planned.plan.variants[0])) << "seed " << seed;
    if (!planned.reports[0].optimal_for_larger) continue;
    ++proved;
    for (const Bytes batch : {4, 7, 64}) {
      Offsets places;
      const Problem larger = at_batch(planned.plan.variants[0], batch, places);
      const Offsets dropped = squeeze(larger, places);
      EXPECT_TRUE(is_valid(larger, dropped));
      EXPECT_EQ(height(larger, dropped), peak_live_bytes(larger)) << "seed " << seed << ", batch " << batch;
    }
  }
  EXPECT_GT(proved, 20) << "auto proves most of these";
}

TEST(Scaling, AConstantPartEndsTheProof) {
  const PlannedVariants planned = plan(random_problem(1, 12), 4096);
  EXPECT_EQ(planned.reports[0].status, Status::kOptimal);
  EXPECT_EQ(planned.reports[0].shapes, 2U);
  EXPECT_FALSE(planned.reports[0].optimal_for_larger);
}

TEST(Scaling, ASizeThatStaysEndsTheProof) {
  PlanVariantDescription variant = plan(random_problem(1, 12)).plan.variants[0];
  ASSERT_TRUE(all_sizes_scale(variant));
  variant.slots[3].formula = {};
  EXPECT_FALSE(all_sizes_scale(variant));
}

TEST(Scaling, SizesThatAreNoMultiplesOfAGranuleEndTheProof) {
  PlanVariantDescription variant = plan(random_problem(1, 12)).plan.variants[0];
  variant.slots[3].size += 16;
  EXPECT_FALSE(all_sizes_scale(variant));
}

}  // namespace
}  // namespace memo::planner
