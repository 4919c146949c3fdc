#include "runtime/plan/loaded_plan.h"

#include <algorithm>
#include <bit>
#include <new>

#include "runtime/plan/call_sites.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/growth.h"
#include "runtime/plan/variant_builder.h"
#include "runtime/platform/memory_annotations.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/pages.h"

namespace memo::runtime {
namespace {

// Takes over what the smaller variant knows of growth.
void go_on_from(const Variant& smaller, std::span<const PlanSlot> slots, Variant& variant) {
  const Numbers had = smaller.formulas.largest();
  raise(variant.formulas.p, had.p);
  raise(variant.formulas.q, had.q);
  if (smaller.state.has(GrowthState::kLaidOutAnew) || have_other_sizes(slots, smaller.slots))
    variant.state.set(GrowthState::kLaidOutAnew);
}

void begin_variants(LoadedPlan& loaded, const LoadedPlan* before) {
  for (std::size_t index = 0; index < loaded.variants.size(); ++index) {
    Variant& variant = *new (&loaded.variants[index]) Variant{};
    variant.refused.store(~std::uint64_t{0}, std::memory_order_relaxed);
    find_formulas(loaded.file, static_cast<std::uint32_t>(index), variant.formulas);
    if (before != nullptr)
      go_on_from(before->variants[index], slots_of(loaded.file, loaded.file.variants()[index]), variant);
  }
}

struct Layout {
  LoadedPlan* plan;
  Variant* variants;
  CellPlace* cells;
  std::atomic<std::uint64_t>* addresses;
  std::atomic<std::uint32_t>* buckets;
};

// Returns how many numbers a pass needs to know its next scope of each name and the next cell of each list.
std::uint32_t most_names_and_lists(const PlanFile& file) {
  std::uint32_t most = 0;
  for (const PlanVariant& plan : file.variants())
    most = std::max(most, plan.scope_count + count_lists(file, plan));
  return most;
}

std::uint32_t bucket_count(const PlanFile& file) {
  return static_cast<std::uint32_t>(std::bit_ceil(2 * file.sites().size() + 2));
}

Layout lay_out(Pieces& pieces, const PlanFile& file) {
  return {.plan = pieces.take<LoadedPlan>(1),
          .variants = pieces.take<Variant>(file.variants().size()),
          .cells = pieces.take<CellPlace>(file.cells().size()),
          .addresses = pieces.take<std::atomic<std::uint64_t>>(file.sites().size()),
          .buckets = pieces.take<std::atomic<std::uint32_t>>(bucket_count(file))};
}

std::uint32_t* lay_out_names(Pieces& pieces, const PlanFile& file, std::uint32_t lanes) {
  return pieces.take<std::uint32_t>(std::uint64_t{lanes} * most_names_and_lists(file));
}

struct Needed {
  std::uint64_t bytes;
  std::uint64_t filled;  // of these, from the first on, the bytes that make_ready() fills in
};

Needed memory_for(const PlanFile& file, std::uint32_t lanes) {
  Pieces pieces(nullptr);
  lay_out(pieces, file);
  const std::span<const PlanVariant> variants = file.variants();
  for (std::uint32_t first = 0; first < variants.size();) {
    const VariantGroup group = group_from(file, first);
    lay_out(pieces, group);
    for (; first < group.end; ++first) {
      Variant scratch{};
      lay_out(pieces, file, variants[first], scratch);
    }
  }
  const std::uint64_t filled = pieces.used();
  lay_out_names(pieces, file, lanes);
  return {.bytes = pieces.used(), .filled = filled};
}

// Places the slots of a variant. Returns false if it would be higher than a plan can be, or than sizes seen may make it.
bool place_variant(Builder& builder, LoadedPlan& loaded) {
  Variant& variant = builder.variant;
  variant.height = loaded.large_start;
  fill_slots(builder, loaded.cells);
  if (!place_large_slots(builder, loaded.large_start)) return false;
  if (variant.formulas.growing == 0 && variant.height > kMostTimesAsHigh * builder.plan.height &&
      variant.state.has(GrowthState::kLaidOutAnew))
    return false;
  loaded.lane_bytes = std::max(loaded.lane_bytes, variant.height);
  if (is_for_workers(variant)) loaded.worker_bytes = std::max(loaded.worker_bytes, variant.height);
  return true;
}

// Fills in what follows from the places.
void finish_variant(Builder& builder) {
  find_room_for_products(builder);
  index_by_site(builder);
  link_names(builder);
  link_loops(builder);
}

bool build_group(Pieces& pieces, LoadedPlan& loaded, const VariantGroup& group) {
  GroupBuilder builder = lay_out(pieces, group);
  for (std::uint32_t index = group.first; index < group.end; ++index) {
    auto* member = new (&builder.variants[builder.variant_count++])
        Builder(lay_out(pieces, loaded.file, loaded.file.variants()[index], loaded.variants[index]));
    if (!place_variant(*member, loaded)) return false;
  }
  number_places(builder);
  find_conflicts(builder);
  for (Builder& member : std::span(builder.variants, builder.variant_count)) finish_variant(member);
  return true;
}

bool build(Pieces& pieces, LoadedPlan& loaded, CellPlace* cells, const LoadedPlan* before) {
  begin_variants(loaded, before);
  if (!build_cells(loaded, {cells, loaded.cells.size()})) return false;
  for (std::uint32_t first = 0; first < loaded.variants.size();) {
    const VariantGroup group = group_from(loaded.file, first);
    if (!build_group(pieces, loaded, group)) return false;
    first = group.end;
  }
  loaded.next_of_name = lay_out_names(pieces, loaded.file, loaded.most_lanes);
  return true;
}

// Maps memory for the tables. Those that are filled in get their pages at once: one fault after the other would take
// longer than all else.
void* map_tables(const Needed& needed) {
  void* memory = map_own(Own::kPlans, needed.bytes);
  if (memory != nullptr)
    static_cast<void>(populate_pages(memory, needed.filled));  // they come when touched, otherwise
  return memory;
}

// Writes the addresses of the sites to where the slots are searched and expected.
void spread_sites(const LoadedPlan& plan) {
  rebuild(plan.sites);
  for (const Variant& variant : plan.variants) {
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot) {
      const std::uint64_t address =
          plan.sites.addresses[variant.slots[slot].site].load(std::memory_order_relaxed);
      variant.hot[slot].site.store(address, std::memory_order_relaxed);
    }
  }
}

}  // namespace

LoadedPlan* make_ready(const PlanFile& file, std::uint32_t lanes, const LoadedPlan* before) {
  const Needed needed = memory_for(file, lanes);
  void* memory = map_tables(needed);
  if (memory == nullptr) {
    close_plan(file);
    return nullptr;
  }
  Pieces pieces(static_cast<char*>(memory));
  const Layout layout = lay_out(pieces, file);
  auto* plan =
      new (layout.plan) LoadedPlan{.file = file,
                                   .memory = memory,
                                   .memory_bytes = needed.bytes,
                                   .lane_bytes = 0,
                                   .worker_bytes = 0,
                                   .large_start = 0,
                                   .next_of_name = nullptr,
                                   .names_per_lane = most_names_and_lists(file),
                                   .missing_modules = 0,
                                   .said_stale = false,
                                   .lanes = 0,
                                   .worker_lanes = 0,
                                   .most_lanes = lanes,
                                   .lanes_asked = 0,
                                   .number = 0,
                                   .holders = 0,
                                   .sites_looked_up = false,
                                   .look_up_again = false,
                                   .cells = {layout.cells, file.cells().size()},
                                   .spare_cells = {},
                                   .variants = {layout.variants, file.variants().size()},
                                   .sites = {.addresses = layout.addresses,
                                             .buckets = layout.buckets,
                                             .site_count = static_cast<std::uint32_t>(file.sites().size()),
                                             .mask = bucket_count(file) - 1}};
  if (build(pieces, *plan, layout.cells, before)) return plan;
  discard(plan);
  return nullptr;
}

void discard(LoadedPlan* plan) {
  close_plan(plan->file);
  checker::allow(plan->memory, plan->memory_bytes);
  unmap_own(Own::kPlans, plan->memory, plan->memory_bytes);
}

void resolve_sites(LoadedPlan& plan) {
  const SiteIndex& sites = plan.sites;
  plan.missing_modules.store(locate_modules(plan.file, sites.addresses), std::memory_order_relaxed);
  spread_sites(plan);
}

void copy_sites(LoadedPlan& plan, const LoadedPlan& from) {
  for (std::uint32_t site = 0; site < plan.sites.site_count; ++site)
    plan.sites.addresses[site].store(from.sites.addresses[site].load(std::memory_order_relaxed),
                                     std::memory_order_relaxed);
  plan.missing_modules.store(from.missing_modules.load(std::memory_order_relaxed), std::memory_order_relaxed);
  spread_sites(plan);
}
}  // namespace memo::runtime
