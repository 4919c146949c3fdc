#include "planner/check/check_plan.h"

#include <fmt/core.h>

#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace memo::planner {
namespace {

// Returns where each cell begins: they lie one after the other from 0.
std::vector<std::uint64_t> cell_places(const PlanDescription& plan) {
  std::vector<std::uint64_t> places(plan.cells.size());
  std::exclusive_scan(plan.cells.begin(), plan.cells.end(), places.begin(), std::uint64_t{0});
  return places;
}

Verdict fits_its_cell(const PlanDescription& plan, const PlanSlotDescription& slot, std::size_t index) {
  if (slot.zone != PlanZone::kCell) return {};
  if (slot.place >= plan.cells.size())
    return {Fault::kWrongCount, fmt::format("slot {} is in cell {}, but there are only {}", index, slot.place,
                                            plan.cells.size())};
  if (slot.size > plan.cells[slot.place])
    return {Fault::kOverlap, fmt::format("slot {} of {} bytes is in cell {}, which has {}", index, slot.size,
                                         slot.place, plan.cells[slot.place])};
  return {};
}

// Returns a fault where a slot uses a cell of a list that is neither its own nor a pool that slots of its variant share.
Verdict lists_are_apart(const PlanDescription& plan) {
  std::vector<bool> in_list(plan.cells.size());
  for (const PlanVariantDescription& variant : plan.variants) {
    std::set<std::pair<std::uint64_t, std::uint32_t>> lists;
    for (std::size_t i = 0; i < variant.slots.size(); ++i) {
      const PlanSlotDescription& slot = variant.slots[i];
      const bool is_new = lists.emplace(slot.place, slot.cells).second;
      for (std::uint64_t cell = slot.place; cell < slot.place + slot.cells; ++cell) {
        if (cell >= plan.cells.size() || slot.size > plan.cells[cell] || (is_new && in_list[cell]))
          return {Fault::kOverlap, fmt::format("slot {} does not fit cell {} of its list", i, cell)};
        in_list[cell] = true;
      }
    }
  }
  for (const PlanVariantDescription& variant : plan.variants)
    for (std::size_t i = 0; i < variant.slots.size(); ++i)
      if (variant.slots[i].zone == PlanZone::kCell && in_list[variant.slots[i].place])
        return {Fault::kOverlap,
                fmt::format("slot {} is in cell {}, which is a list's", i, variant.slots[i].place)};
  return {};
}

Verdict check_variant(const PlanDescription& plan, const PlanVariantDescription& variant) {
  for (std::size_t i = 0; i < variant.slots.size(); ++i)
    if (Verdict verdict = fits_its_cell(plan, variant.slots[i], i); !verdict.valid()) return verdict;
  const LaidOut laid_out = lay_out(plan, variant);
  return check_by_sweep(laid_out.problem, laid_out.offsets);
}

}  // namespace

LaidOut lay_out(const PlanDescription& plan, const PlanVariantDescription& variant) {
  const std::vector<std::uint64_t> cells = cell_places(plan);
  const std::uint64_t start = large_start(plan);
  LaidOut result;
  for (std::uint32_t i = 0; i < variant.slots.size(); ++i) {
    const PlanSlotDescription& slot = variant.slots[i];
    if (!has_place(slot)) continue;
    const SlotLife life = life_of(variant, i);
    result.problem.buffers.push_back({.life = {static_cast<Time>(life.begin), static_cast<Time>(life.end)},
                                      .size = static_cast<Bytes>(slot.size),
                                      .alignment = static_cast<Bytes>(slot.alignment)});
    const std::uint64_t place = slot.zone == PlanZone::kCell ? cells.at(slot.place) : start + slot.place;
    result.offsets.push_back(static_cast<Offset>(place));
    result.slots.push_back(i);
  }
  return result;
}

Verdict check_plan(const PlanDescription& plan) {
  for (std::size_t v = 0; v < plan.variants.size(); ++v) {
    Verdict verdict = check_variant(plan, plan.variants[v]);
    if (verdict.valid()) continue;
    verdict.sentence = fmt::format("variant {}: {}", v, verdict.sentence);
    return verdict;
  }
  return lists_are_apart(plan);
}

}  // namespace memo::planner
