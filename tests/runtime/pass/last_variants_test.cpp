// Several models run their passes through one function, and no key tells them apart: where a pass of each begins.
#include <cstdint>
#include <vector>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kCommon =
    4;  // call site of a large block with which all passes begin, and which they hold to their ends
constexpr std::size_t kBlock = 8192;
// So many that two variants have no table of places in common: a pass that begins in the wrong one cannot leave it.
constexpr std::size_t kBlocks = kMaxTableSlots / 2;

PlanVariantDescription model(std::uint64_t site) {
  PlanVariantDescription variant{.slots = {large_slot(kCommon, kBlock, 0)}};
  for (std::size_t number = 1; number <= kBlocks; ++number)
    variant.slots.push_back(large_slot(site, kBlock, number * kBlock));
  return variant;
}

PlanDescription plan_of(const std::vector<std::uint64_t>& sites) {
  PlanDescription plan = empty_plan();
  for (const std::uint64_t site : sites) plan.variants.push_back(model(site));
  return plan;
}

// A pass of the object that the plan has this call site for. Returns how many of its blocks were served.
std::size_t run(std::uintptr_t object, std::uint64_t site) {
  std::vector<void*> blocks;
  pass_begin(0, __builtin_frame_address(0), object);
  blocks.push_back(allocate(kBlock, kCommon));
  for (std::size_t number = 0; number < kBlocks; ++number) blocks.push_back(allocate(kBlock, site));
  std::size_t served = 0;
  for (void* block : blocks) served += static_cast<std::size_t>(block != nullptr && release(block));
  pass_end();
  return served;
}

// In strict alternation, so that every pass follows one of another model on its lane. Without the objects each would begin in the variant
// of the one before, and could not leave it while it holds the first block.
TEST(LastVariants, EachModelGoesOnInItsOwn) {
  serve(plan_of({5, 6, 7}));
  for (int round = 0; round < 6; ++round) {
    for (std::uint64_t model = 0; model < 3; ++model) {
      const std::size_t served = run(0x1000 + 0x40 * model, 5 + model);
      if (round < 3) continue;
      EXPECT_EQ(served, kBlocks + 1) << "round " << round << ", model " << model;
    }
  }
}

// Wherever the system puts the two: one of some hundred pairs has a common entry in any table that a core can keep at hand.
TEST(LastVariants, TwoModelsNeverDriveEachOtherOut) {
  serve(plan_of({5, 6}));
  constexpr std::uintptr_t kFirst = 0x1000;
  for (std::uintptr_t second = kFirst + 0x40; second < kFirst + 0x40 * 2000; second += 0x40) {
    for (int round = 0; round < 3; ++round) {
      const std::size_t served = run(kFirst, 5) + run(second, 6);
      if (round == 2) {
        EXPECT_EQ(served, 2 * (kBlocks + 1)) << "second at " << second;
      }
    }
  }
}

TEST(LastVariants, WithoutAnObjectThePassesOfTheLaneDecide) {
  serve(plan_of({5, 6}));
  EXPECT_EQ(run(0, 5), kBlocks + 1);
  EXPECT_LT(run(0, 6), kBlocks / 2);
}

// A plan that came later may have fewer variants than the number that is known.
TEST(LastVariants, OfAnotherPlanAreNoneOfThisOne) {
  serve(plan_of({5, 6, 7}));
  for (int round = 0; round < 4; ++round) {
    run(0x2000, 5);
    run(0x2040, 7);
  }
  serve(plan_of({7}));
  run(0x2000, 5);
  EXPECT_EQ(run(0x2040, 7), kBlocks + 1);
}

}  // namespace
}  // namespace memo::runtime
