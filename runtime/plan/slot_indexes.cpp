// The ways to find a slot other than the expected one: by its call site, by the name of its operator.
#include <algorithm>
#include <memory>

#include "runtime/plan/variant_builder.h"

namespace memo::runtime {
namespace {

// Collects each name once, sorted by hash. A file may have a million names: nothing here may take quadratic
// time.
std::uint32_t collect_names(const Builder& to) {
  const std::uint32_t scopes = to.variant.scope_count;
  for (std::uint32_t scope = 0; scope < scopes; ++scope) {
    to.names[scope] = {.hash = to.variant.scopes[scope].name_hash, .first = kNone, .first_by_name = 0};
  }
  std::sort(to.names, to.names + scopes,
            [](const ScopeName& a, const ScopeName& b) { return a.hash < b.hash; });
  const ScopeName* end = std::unique(to.names, to.names + scopes,
                                     [](const ScopeName& a, const ScopeName& b) { return a.hash == b.hash; });
  return static_cast<std::uint32_t>(end - to.names);
}

void note_sizes(Builder& to) {
  std::uninitialized_fill_n(to.sizes_of_site, to.file.sites().size(), SizesOfSite{});
  for (std::uint32_t index = 0; index < to.plan.slot_count; ++index) {
    const PlanSlot& slot = to.variant.slots[index];
    if (slot.zone != PlanZone::kKept && slot.zone != PlanZone::kLarge) continue;
    SizesOfSite& sizes = to.sizes_of_site[slot.site];
    SizeRange& range = slot.zone == PlanZone::kKept ? sizes.kept : sizes.large;
    range.least = std::min(range.least, slot.size - std::min<std::uint64_t>(slot.spread, slot.size));
    range.most = std::max(range.most, slot.size);
  }
}

// Follows the links of each name: linear.
void sort_by_name(Builder& to) {
  std::uint32_t end = 0;
  for (std::uint32_t name = 0; name < to.variant.name_count; ++name) {
    const std::uint32_t first = to.names[name].first_by_name = end;
    for (std::uint32_t scope = to.names[name].first; scope != kNone; scope = to.links[scope].next_same_name) {
      to.links[scope].before_same_name = end - first;
      to.by_name[end++] = scope;
    }
  }
}

// Returns true if the call site that begins the loop is neither the one of what follows it nor the one that begins a loop around
// it: a pass at the end of an iteration then shows by its call site where it goes on.
bool site_tells_iteration(const Builder& to, std::uint32_t number) {
  const PlanLoop& loop = to.variant.loops[number];
  const auto begins_at = [&](std::uint32_t slot) {
    return slot < to.plan.slot_count && to.variant.slots[slot].site == to.variant.slots[loop.first_slot].site;
  };
  if (begins_at(loop.end_slot)) return false;
  for (std::uint32_t around = to.loop_around[number]; around != kNone; around = to.loop_around[around])
    if (begins_at(to.variant.loops[around].first_slot)) return false;
  return true;
}

}  // namespace

// Counting sort: linear, and stable, so that the slots of a site stay in order.
void index_by_site(Builder& to) {
  const std::size_t sites = to.file.sites().size();
  for (std::size_t site = 0; site <= sites; ++site) to.site_begins[site] = 0;
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot)
    ++to.site_begins[to.variant.slots[slot].site];
  std::uint32_t end = 0;
  for (std::size_t site = 0; site <= sites; ++site) to.site_begins[site] = end += to.site_begins[site];
  for (std::uint32_t slot = to.plan.slot_count; slot-- > 0;) {
    to.by_site[--to.site_begins[to.variant.slots[slot].site]] = slot;
  }
  note_sizes(to);
}

// Links the scopes of each name, from the last scope to the first, so that each finds the next of its name at
// the head of the chain.
void link_names(Builder& to) {
  Variant& variant = to.variant;
  variant.name_count = collect_names(to);
  for (std::uint32_t scope = variant.scope_count; scope-- > 0;) {
    const std::uint32_t name = find_name(variant, variant.scopes[scope].name_hash);
    to.links[scope] = {
        .name = name, .next_same_name = to.names[name].first, .before_same_name = 0, .is_behind_loop = 0};
    to.names[name].first = scope;
  }
  for (const PlanLoop& loop : variant.loops)
    if (loop.end_scope < variant.scope_count) to.links[loop.end_scope].is_behind_loop = 1;
  sort_by_name(to);
}

// Looks for the loop around each among the one before it and those around that one.
void link_loops(Builder& to) {
  to.variant.sites_tell_iterations = true;
  const std::span<const PlanLoop> loops = to.variant.loops;
  for (std::uint32_t number = 0; number < loops.size(); ++number) {
    std::uint32_t around = number == 0 ? kNone : number - 1;
    while (around != kNone && loops[around].end_slot <= loops[number].first_slot)
      around = to.loop_around[around];
    to.loop_around[number] = around;
    to.variant.sites_tell_iterations &= site_tells_iteration(to, number);
  }
}

}  // namespace memo::runtime
