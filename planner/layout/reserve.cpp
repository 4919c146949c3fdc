#include "planner/layout/reserve.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "planner/plan/worker_key.h"
#include "planner/trace/mix.h"
#include "runtime/formats/place_runs.h"
#include "runtime/formats/place_tables.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

constexpr Bytes kLargeFrom = 4096;      // bytes: smaller blocks find idle cells
constexpr Bytes kShareOfLargest = 64;   // 1/64 of the largest block
constexpr std::size_t kFewOrders = 3;   // of the same blocks: fewer are variants of their own
constexpr std::size_t kMostSets = 256;  // of large blocks that are compared: more are requests of many shapes
constexpr std::size_t kMostPlacesEach = 4;  // of one size, to keep the conflict masks short

// ---- orders ----

using Blocks = std::vector<std::uint64_t>;  // a hash of each

// Returns the size from which the order of blocks counts. Where the large ones have their places, small ones find room between them.
Bytes least_that_counts(const Pass& pass) {
  Bytes largest = 0;
  for (const Allocation& made : pass.allocations) largest = std::max(largest, made.size);
  return std::max(largest / kShareOfLargest, kLargeFrom);
}

Blocks large_blocks_of(const Member& member) {
  Blocks blocks;
  const Bytes least = least_that_counts(*member.pass);
  for (const Allocation& made : member.pass->allocations) {
    if (made.size < least) continue;
    const PlanSite site = member.view->site(made.site);
    blocks.push_back(mix(mix(mix(0, site.module), site.offset), static_cast<std::uint64_t>(made.size)));
  }
  return blocks;
}

// The passes of a kind: the orders of each set of large blocks.
using Orders = std::map<Blocks, std::set<Blocks>>;

bool have_several(const Orders& orders) {
  return std::any_of(orders.begin(), orders.end(),
                     [](const auto& one) { return one.second.size() >= kFewOrders; });
}

// Returns true if some passes do a part of what others do.
bool have_parts(const Orders& orders) {
  if (orders.size() > kMostSets) return false;
  return std::any_of(orders.begin(), orders.end(), [&](const auto& one) {
    return std::any_of(orders.begin(), orders.end(), [&](const auto& other) {
      return !one.first.empty() && one.first.size() < other.first.size() &&
             std::includes(other.first.begin(), other.first.end(), one.first.begin(), one.first.end());
    });
  });
}

// ---- places ----

using VariantSlots = std::vector<PlanSlotDescription>;

// Holds what the marked variants of a key need together.
struct Needs {
  std::uint64_t end = 0;      // of their large slots
  std::uint64_t largest = 0;  // of their blocks
};
using AllNeeds = std::map<std::uint64_t, Needs>;  // by key

void add(Needs& needs, const PlanVariantDescription& variant) {
  for (const PlanSlotDescription& slot : variant.slots) {
    if (!is_large(slot)) continue;
    needs.end = std::max(needs.end, slot.place + slot.size);
    needs.largest = std::max(needs.largest, slot.size);
  }
}

// Returns the slots of a reserve behind `first` others.
VariantSlots slots_of(const Needs& needs, const PlanSiteDescription& site, std::uint32_t first) {
  VariantSlots slots;
  const std::uint64_t begin = runtime::round_up(needs.end, kGranule);
  const std::uint64_t bytes = std::bit_ceil(needs.largest);
  for (std::uint64_t size = bytes; size >= static_cast<std::uint64_t>(kLargeFrom); size /= 2) {
    for (std::size_t number = 0; number < kMostPlacesEach && (number + 1) * size <= bytes; ++number)
      slots.push_back({.site = site,
                       .size = size,
                       .alignment = kGranule,
                       .freed_at = first + static_cast<std::uint32_t>(slots.size()) + 1,
                       .zone = PlanZone::kLarge,
                       .place = begin + number * size});
  }
  return slots;
}

// Adds the reserve, if there is room for so many large slots. Returns how many it has.
std::uint32_t add_reserve(const Needs& needs, std::size_t room, PlanVariantDescription& variant) {
  const auto last = std::find_if(variant.slots.rbegin(), variant.slots.rend(), is_large<PlanSlotDescription>);
  if (last == variant.slots.rend()) return 0;
  const VariantSlots more = slots_of(needs, last->site, static_cast<std::uint32_t>(variant.slots.size()));
  if (more.size() > room) return 0;
  variant.slots.insert(variant.slots.end(), more.begin(), more.end());
  return static_cast<std::uint32_t>(more.size());
}

// Returns true for a variant of workers that do large parts of the work, and not only what comes with it.
bool shares_work(const Variant& variant) {
  return is_key_of_workers(variant.key) &&
         std::any_of(variant.demands.begin(), variant.demands.end(),
                     [](const Demand& demand) { return demand.size >= kLargeFrom; });
}

bool may_have_one(const Variant& variant) {
  return variant.has_orders && variant.loops.empty();
}

// A worker may come to do all that is left of a pass, in any order. So its reserve is as large as a pass.
AllNeeds needs_of(std::span<const Variant> variants, const PlanDescription& plan) {
  AllNeeds needs;
  std::uint64_t largest_pass = 0;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    if (!may_have_one(variants[v])) continue;
    add(needs[variants[v].key], plan.variants[v]);
    if (!is_key_of_workers(variants[v].key))
      largest_pass = std::max(largest_pass, needs[variants[v].key].end);
  }
  if (const auto workers = needs.find(kWorkerPassKey); workers != needs.end())
    workers->second.largest = std::max(workers->second.largest, largest_pass);
  return needs;
}

}  // namespace

void note_orders(std::span<const Member> members, std::vector<Variant>& variants) {
  using Kind = std::pair<std::string_view, std::uint64_t>;
  std::map<Kind, Orders> kinds;
  for (const Member& member : members) {
    const Blocks in_order = large_blocks_of(member);
    Blocks sorted = in_order;
    std::sort(sorted.begin(), sorted.end());
    kinds[{member.view->trace->name(member.pass->name), member.pass->key}][sorted].insert(in_order);
  }
  const bool share_work = std::any_of(variants.begin(), variants.end(), shares_work);
  std::erase_if(kinds, [&](const auto& kind) {
    return !have_several(kind.second) && !(share_work && have_parts(kind.second));
  });
  for (Variant& variant : variants)
    variant.has_orders =
        is_key_of_workers(variant.key) ? !kinds.empty() : kinds.contains({variant.pass_name, variant.key});
}

// A reserve in a table serves all of its variants, and a variant that has its own also serves passes that go on behind its end. No
// reserve makes a table overflow.
void add_reserves(std::span<const Variant> variants, PlanDescription& plan) {
  const AllNeeds needs = needs_of(variants, plan);
  const auto key_of = [variants](std::uint32_t v) { return variants[v].key; };
  const auto large_of = [&plan](std::uint32_t v) { return count_places(plan.variants[v].slots); };
  for (std::uint32_t v = 0; v < variants.size();) {
    auto [end, large] =
        runtime::place_table_from(v, static_cast<std::uint32_t>(variants.size()), key_of, large_of);
    for (; v < end; ++v)
      if (may_have_one(variants[v]))
        large += add_reserve(needs.at(variants[v].key), kMaxTableSlots - std::min(large, kMaxTableSlots),
                             plan.variants[v]);
  }
}

Bytes reserve_behind(std::size_t slots, const PlanVariantDescription& variant) {
  return slots < variant.slots.size() ? static_cast<Bytes>(variant.slots[slots].size) : 0;
}

}  // namespace memo::planner
