#include "planner/plan/foreseen.h"

#include <algorithm>
#include <span>

#include "planner/plan/memory_need.h"
#include "runtime/formats/place_runs.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

using runtime::round_up;

constexpr std::uint64_t kNoPlanHoldsIt = kMaxPlanHeight + 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kNoPlanHoldsIt : std::min(product, kNoPlanHoldsIt);
}

std::uint64_t power_of(std::uint64_t number, std::uint32_t power) {
  std::uint64_t result = 1;
  for (std::uint32_t i = 0; i < power; ++i) result = times(result, number);
  return result;
}

// Returns the size that the formula foresees, the most that rounding may add included.
std::uint64_t size_for(const SizeFormula& formula, const FormulaNumbers& numbers) {
  std::uint64_t product = formula.factor;
  product = times(product, power_of(numbers.p, formula.powers[0]));
  product = times(product, power_of(numbers.q, formula.powers[1]));
  product = times(product, power_of(numbers.t, formula.powers[2]));
  return std::min(product + std::min(formula.base, kNoPlanHoldsIt) + formula.rounding, kNoPlanHoldsIt);
}

// ---- larger than planned

// The library makes what follows a shape a little larger than it was seen, by 1/32.
std::uint64_t size_in_grown_plan(const SizeFormula& formula, const FormulaNumbers& numbers) {
  constexpr std::uint64_t kRoomBeyondSeen = 32;
  const std::uint64_t size = size_for(formula, numbers);
  return formula.is_line() ? size : size + size / kRoomBeyondSeen;
}

// Makes all slots that go on in one place as large as the largest of them, so that they still do.
void level_runs(const std::vector<PlanSlotDescription>& before, std::vector<PlanSlotDescription>& slots) {
  std::uint32_t first = 0;
  for_large_slots(before, [&](std::uint32_t slot, bool goes_on) {
    if (!goes_on) first = slot;
    slots[first].size = std::max(slots[first].size, slots[slot].size);
  });
  for_large_slots(before, [&](std::uint32_t slot, bool goes_on) {
    if (!goes_on) first = slot;
    slots[slot].size = slots[first].size;
  });
}

// Returns true if some slots became larger.
bool enlarge_slots(PlanVariantDescription& variant, const FormulaNumbers& numbers) {
  const std::vector<PlanSlotDescription> before = variant.slots;
  bool larger = false;
  for (PlanSlotDescription& slot : variant.slots) {
    if (!slot.formula.exists() || size_for(slot.formula, numbers) <= slot.size) continue;
    slot.size = size_in_grown_plan(slot.formula, numbers);
    larger = true;
  }
  if (larger) level_runs(before, variant.slots);
  return larger;
}

void enlarge_cells(const PlanVariantDescription& variant, std::vector<std::uint64_t>& cells) {
  for (const PlanSlotDescription& slot : variant.slots) {
    if (is_on_heap(slot.zone) || slot.zone == PlanZone::kLarge) continue;
    const std::uint64_t count = has_list(slot.zone) ? slot.cells : 1;
    for (std::uint64_t cell = slot.place; cell < std::min<std::uint64_t>(slot.place + count, cells.size());
         ++cell)
      cells[cell] = std::max(cells[cell], round_up(slot.size, kGranule));
  }
}

// A large slot, or several that follow each other in its place.
struct Block {
  SlotLife life;
  std::vector<std::uint32_t> slots;
};

std::vector<Block> blocks_of(const PlanVariantDescription& variant,
                             const std::vector<PlanSlotDescription>& before) {
  std::vector<Block> blocks;
  for_large_slots(before, [&](std::uint32_t slot, bool goes_on) {
    const SlotLife life = life_of(variant, slot);
    if (!goes_on) {
      blocks.push_back({.life = life, .slots = {slot}});
      return;
    }
    Block& run = blocks.back();
    run.life = {.begin = std::min(run.life.begin, life.begin), .end = std::max(run.life.end, life.end)};
    run.slots.push_back(slot);
  });
  return blocks;
}

// Drops each block onto those that were planned below it and live at the same time.
void drop_in_planned_order(PlanVariantDescription& variant, const std::vector<PlanSlotDescription>& before) {
  std::vector<Block> blocks = blocks_of(variant, before);
  std::ranges::stable_sort(blocks, {}, [&](const Block& block) { return before[block.slots.front()].place; });
  std::vector<std::uint64_t> tops(variant.slots.size(), 0);  // for each time
  for (const Block& block : blocks) {
    const PlanSlotDescription& first = variant.slots[block.slots.front()];
    const std::span<std::uint64_t> during = std::span(tops).subspan(
        block.life.begin, std::max(block.life.end, block.life.begin + 1) - block.life.begin);
    const std::uint64_t place =
        round_up(std::ranges::max(during), std::max<std::uint64_t>(first.alignment, kGranule));
    std::ranges::fill(during, place + round_up(first.size, kGranule));
    for (const std::uint32_t slot : block.slots) variant.slots[slot].place = place;
  }
}

// ---- as planned

// Marks the huge pages that the bytes [begin, end) of a lane lie on.
void mark(std::vector<bool>& pages, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t page = begin / kHugePage; page * kHugePage < end; ++page) pages[page] = true;
}

}  // namespace

PlanDescription enlarged_for(PlanDescription plan, const FormulaNumbers& numbers) {
  for (PlanVariantDescription& variant : plan.variants) {
    const std::vector<PlanSlotDescription> before = variant.slots;
    if (!enlarge_slots(variant, numbers)) continue;
    enlarge_cells(variant, plan.cells);
    drop_in_planned_order(variant, before);
  }
  return plan;
}

std::uint64_t touched_by(const PlanDescription& plan, const PlanVariantDescription& variant,
                         const FormulaNumbers& numbers) {
  const std::uint64_t start = large_start(plan);
  std::vector<bool> pages(height(plan, variant) / kHugePage + 1);
  mark(pages, 0, start);
  for (const PlanSlotDescription& slot : variant.slots) {
    if (slot.zone != PlanZone::kLarge) continue;
    const bool follows = slot.formula.exists() && !slot.formula.is_line();
    const std::uint64_t size = follows ? std::min(slot.size, size_for(slot.formula, numbers)) : slot.size;
    mark(pages, start + slot.place, start + slot.place + size);
  }
  const auto touched = static_cast<std::uint64_t>(std::ranges::count(pages, true));
  return std::min(touched * kHugePage, lane_memory(height(plan, variant)));
}

}  // namespace memo::planner
