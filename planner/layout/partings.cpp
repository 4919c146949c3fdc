#include "planner/layout/partings.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "planner/plan/worker_key.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

constexpr Bytes kHeldMayCostOneIn = 32;  // of what the variant needs at least

// Holds what the arena knows a slot by.
std::tuple<PlanSite, std::string_view> step_of(const Selection& selection, std::size_t slot) {
  const Demand& demand = selection.demand(slot);
  const std::vector<VariantScope>& scopes = selection.variant->scopes;
  return {demand.site, demand.scope == kNone ? std::string_view{} : scopes[demand.scope].name};
}

std::size_t common_slots(const Selection& a, const Selection& b) {
  if (a.variant->key != b.variant->key) return 0;
  std::size_t slot = 0;
  while (slot < std::min(a.slots(), b.slots()) && step_of(a, slot) == step_of(b, slot)) ++slot;
  return slot;
}

bool comes_before(const Selection& a, const Selection& b) {
  if (a.variant->key != b.variant->key) return a.variant->key < b.variant->key;
  const std::size_t slot = common_slots(a, b);
  if (slot == a.slots() || slot == b.slots()) return a.slots() < b.slots();
  return step_of(a, slot) < step_of(b, slot);
}

// Adds the slots before which the variant at `from` parts from those on one side of it. In this order, two variants have
// as many slots in common as the two neighbours between them that have fewest.
template <typename Side>
void add_partings(Side common, std::set<std::size_t>& partings) {
  std::size_t least = SIZE_MAX;
  for (const std::size_t slots : common) {
    least = std::min(least, slots);
    if (least == 0) return;
    partings.insert(least);
  }
}

bool fits_a_cell(const Demand& demand) {
  return demand.growth == 0 && demand.alignment <= static_cast<Bytes>(kGranule) &&
         demand.size <= static_cast<Bytes>(kMaxCellBytes);
}

// The slots whose blocks are live before one slot, and not yet noted as held.
struct Held {
  std::vector<std::size_t> slots;
  Bytes bytes = 0;
  bool fit = true;
};

Held held_before(const Selection& selection, std::size_t parting) {
  Held held;
  for (std::size_t slot = 0; slot < parting; ++slot) {
    const Demand& demand = selection.demand(slot);
    if (!selection.is_planned(slot) || selection.held[slot]) continue;
    if (selection.slot_time(demand.life.end) <= parting) continue;
    held.slots.push_back(slot);
    held.bytes += demand.size;
    held.fit = held.fit && fits_a_cell(demand);
  }
  return held;
}

// Takes the partings in their order, since a pass comes to the first of them first.
void note_held(Selection& selection, const std::set<std::size_t>& partings) {
  if (partings.empty()) return;
  Bytes left = selection.lower_bound() / kHeldMayCostOneIn;
  for (const std::size_t parting : partings) {
    const Held held = held_before(selection, parting);
    if (!held.fit || held.bytes > left) continue;
    left -= held.bytes;
    for (const std::size_t slot : held.slots) selection.held[slot] = true;
  }
}

}  // namespace

void note_held_at_partings(std::span<Selection> selections) {
  std::vector<Selection*> order;
  for (Selection& selection : selections)
    if (!is_key_of_workers(selection.variant->key)) order.push_back(&selection);
  std::sort(order.begin(), order.end(),
            [](const Selection* a, const Selection* b) { return comes_before(*a, *b); });
  std::vector<std::size_t> common;  // of each and the next
  for (std::size_t at = 0; at + 1 < order.size(); ++at)
    common.push_back(common_slots(*order[at], *order[at + 1]));
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::span<const std::size_t> all(common);
    const auto before = all.first(std::min(at, all.size()));
    std::set<std::size_t> partings;
    add_partings(std::vector(before.rbegin(), before.rend()), partings);
    add_partings(all.subspan(before.size()), partings);
    note_held(*order[at], partings);
  }
}

}  // namespace memo::planner
