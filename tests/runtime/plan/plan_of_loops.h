// A plan with loops in each other, and passes that go round them in any order. What the tests share that attack loops.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime::testing {

inline constexpr std::uint32_t kSlots = 16;
inline constexpr int kSteps = 40;  // of a pass

// Three loops in each other and one after them, with operators, large slots, a list, and sizes that grow.
inline PlanDescription plan_of_loops() {
  PlanDescription plan = empty_plan();
  plan.cells.assign(kSlots, 128);
  PlanVariantDescription& variant = plan.variants.emplace_back();
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    PlanSlotDescription described = cell_slot(1 + slot % 5, 100, slot, slot);
    if (slot % 4 == 1) described = large_slot(1 + slot % 5, 5000, slot / 4 % 2 * 8192, slot);
    described.freed_at = std::min(slot + 3, kSlots);
    described.formula = planner::line_from(described.size, slot % 3 == 0 ? 64 : 0);
    variant.slots.push_back(described);
    variant.scopes.push_back(
        {.name = {static_cast<char>('a' + slot % 3)}, .first_slot = slot, .end_slot = slot + 1});
  }
  variant.slots[6].zone = PlanZone::kPool;
  variant.slots[6].cells = 4;
  variant.slots[6].place = plan.cells.size();
  plan.cells.insert(plan.cells.end(), 4, 128);
  const auto loop = [&](std::uint32_t first, std::uint32_t end, std::uint32_t slots) {
    variant.loops.push_back({.first_slot = first,
                             .end_slot = end,
                             .slots = slots,
                             .first_scope = first,
                             .end_scope = end,
                             .scopes = slots});
  };
  loop(1, 13, 6);
  loop(2, 6, 4);
  loop(3, 5, 1);
  loop(8, 12, 2);
  loop(13, 15, 1);
  return plan;
}

struct LoopBlock {
  unsigned char* begin;
  std::size_t room;
  int mark;
};

inline void free_whole(Shadow& shadow, const LoopBlock& block) {
  EXPECT_EQ(std::count(block.begin, block.begin + block.room, block.mark),
            static_cast<std::ptrdiff_t>(block.room));
  shadow.dies(block.begin);
  EXPECT_TRUE(release(block.begin));
}

inline void free_all(Shadow& shadow, const std::vector<LoopBlock>& blocks) {
  for (const LoopBlock& block : blocks) free_whole(shadow, block);
}

// Runs a pass of the operators and sizes that the plan foresees at up to `t`, in the order of the plan but for some steps, which
// jump to any place of it. Writes each block from end to end. Returns the blocks that the pass leaves alive.
inline std::vector<LoopBlock> run_pass(const PlanVariantDescription& variant, std::mt19937& dice,
                                       std::uint64_t t, Shadow& shadow) {
  constexpr std::size_t kMostAlive = 5;
  std::vector<LoopBlock> live;
  const Pass running;
  std::uint32_t at = 0;
  for (int step = 0; step < kSteps;
       ++step, at = (dice() % 6 == 0 ? static_cast<std::uint32_t>(dice()) : at + 1) % kSlots) {
    const PlanSlotDescription& slot = variant.slots[at];
    scope_begin(scope_name_hash(variant.scopes[at].name.c_str()));
    auto* begin = static_cast<unsigned char*>(
        allocate(slot.size + slot.formula.growth() * (dice() % (t + 1)), slot.site.offset));
    scope_end();
    if (begin == nullptr) continue;
    const LoopBlock block{begin, usable_size(begin), static_cast<int>(dice() % 256)};
    shadow.born(block.begin, block.room);
    std::memset(block.begin, block.mark, block.room);
    live.push_back(block);
    if (live.size() <= kMostAlive) continue;
    free_whole(shadow, live.front());
    live.erase(live.begin());
  }
  return live;
}

}  // namespace memo::runtime::testing
