#include "planner/layout/partings.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "planner/layout/selection.h"
#include "planner/plan/worker_key.h"

namespace memo::planner {
namespace {

constexpr Bytes kHeldMayCostOneIn = 32;  // of what the variant needs at least

// Holds what the arena knows a slot by.
std::tuple<PlanSite, std::string_view> step_of(const Variant& variant, std::size_t slot) {
  const Demand& demand = variant.demands[slot];
  return {demand.site, demand.scope == kNone ? std::string_view{} : variant.scopes[demand.scope].name};
}

std::size_t common_slots(const Variant& a, const Variant& b) {
  if (a.key != b.key) return 0;
  std::size_t slot = 0;
  while (slot < std::min(a.demands.size(), b.demands.size()) && step_of(a, slot) == step_of(b, slot)) ++slot;
  return slot;
}

bool comes_before(const Variant& a, const Variant& b) {
  if (a.key != b.key) return a.key < b.key;
  const std::size_t slot = common_slots(a, b);
  if (slot == a.demands.size() || slot == b.demands.size()) return a.demands.size() < b.demands.size();
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

// The blocks that are live before one slot and have no cell yet.
struct Held {
  std::vector<Demand*> demands;
  Bytes bytes = 0;
  bool fit = true;
};

Held held_before(Variant& variant, std::size_t parting) {
  Held held;
  for (Demand& demand : std::span(variant.demands).first(parting)) {
    if (demand.zone != PlanZone::kLarge || demand.life.end <= static_cast<Time>(parting)) continue;
    held.demands.push_back(&demand);
    held.bytes += demand.size;
    held.fit = held.fit && fits_a_cell(demand);
  }
  return held;
}

// Takes the partings in their order, since a pass comes to the first of them first.
void put_held_in_cells(Variant& variant, const std::set<std::size_t>& partings) {
  if (partings.empty()) return;
  Bytes left = lower_bound(variant) / kHeldMayCostOneIn;
  for (const std::size_t parting : partings) {
    const Held held = held_before(variant, parting);
    if (!held.fit || held.bytes > left) continue;
    left -= held.bytes;
    for (Demand* demand : held.demands) demand->zone = PlanZone::kCell;
  }
}

}  // namespace

void put_held_in_cells(std::span<Variant> variants) {
  std::vector<Variant*> order;
  for (Variant& variant : variants)
    if (!is_key_of_workers(variant.key)) order.push_back(&variant);
  std::sort(order.begin(), order.end(),
            [](const Variant* a, const Variant* b) { return comes_before(*a, *b); });
  std::vector<std::size_t> common;  // of each and the next
  for (std::size_t at = 0; at + 1 < order.size(); ++at)
    common.push_back(common_slots(*order[at], *order[at + 1]));
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::span<const std::size_t> all(common);
    const auto before = all.first(std::min(at, all.size()));
    std::set<std::size_t> partings;
    add_partings(std::vector(before.rbegin(), before.rend()), partings);
    add_partings(all.subspan(before.size()), partings);
    put_held_in_cells(*order[at], partings);
  }
}

}  // namespace memo::planner
