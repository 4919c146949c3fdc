#include "runtime/plan/variant_builder.h"

#include <algorithm>
#include <new>

#include "runtime/formats/place_runs.h"
#include "runtime/formats/place_tables.h"

namespace memo::runtime {
namespace {

std::span<const PlanLoop> loops_of(const PlanFile& file, const PlanVariant& plan) {
  const std::uint32_t number = number_of(file, plan);
  const PlanLoop* loops = file.loops().data();
  const PlanLoop* end = loops + file.loops().size();
  const PlanLoop* first =
      std::partition_point(loops, end, [number](const PlanLoop& loop) { return loop.variant < number; });
  return {first, std::partition_point(first, end,
                                      [number](const PlanLoop& loop) { return loop.variant == number; })};
}

// Numbers the lists in the order of their slots. Slots that share one have the same number.
void fill_lists(Builder& to) {
  PlanList* const end = to.lists + to.variant.list_count;
  PlanList* known = to.lists;
  for (std::uint32_t index = 0; index < to.plan.slot_count; ++index) {
    const PlanSlot& slot = to.variant.slots[index];
    PlanList* list = end;
    if (has_list(slot.zone)) {
      list = std::find(to.lists, known, list_at(slot.place));
      if (list == known) *known++ = list_at(slot.place);
    }
    to.list_of[index] = static_cast<std::uint16_t>(list - to.lists);
  }
  std::fill(known, end + 1, PlanList{});
}

// Returns the largest request that the slot has room for, or that it was planned for.
std::uint64_t room_in(const Variant& variant, std::uint32_t slot) {
  const std::uint64_t bytes =
      variant.hot[slot].bytes != 0 ? variant.hot[slot].bytes : variant.large[variant.large_of[slot]].bytes;
  return std::max(bytes, variant.slots[slot].size);
}

}  // namespace

std::uint32_t count_lists(const PlanFile& file, const PlanVariant& plan) {
  const std::span<const PlanSlot> slots = slots_of(file, plan);
  return static_cast<std::uint32_t>(
      std::count_if(slots.begin(), slots.end(), [](const PlanSlot& slot) { return has_list(slot.zone); }));
}

VariantGroup group_from(const PlanFile& file, std::uint32_t first) {
  const std::span<const PlanVariant> variants = file.variants();
  const PlaceTable table = place_table_from(
      first, static_cast<std::uint32_t>(variants.size()),
      [variants](std::uint32_t number) { return variants[number].pass_key; },
      [&](std::uint32_t number) { return count_places(slots_of(file, variants[number])); });
  return {.first = first, .end = table.end, .large = table.large};
}

GroupBuilder lay_out(Pieces& pieces, const VariantGroup& group) {
  const std::uint32_t variants = group.end - group.first;
  return {.variants = pieces.take<Builder>(variants),
          .variant_count = 0,
          .large = pieces.take<LargeSlot>(group.large + std::uint64_t{1}),
          .masks = pieces.take<std::uint64_t>(std::uint64_t{group.large} * mask_words(group.large)),
          .by_end = pieces.take<std::uint32_t>(group.large),
          .place_count = 0};
}

Builder lay_out(Pieces& pieces, const PlanFile& file, const PlanVariant& plan, Variant& variant) {
  const std::uint32_t large = count_places(slots_of(file, plan));
  const std::uint32_t lists = count_lists(file, plan);
  variant.pass_key = plan.pass_key;
  variant.slot_count = plan.slot_count;
  variant.scope_count = plan.scope_count;
  variant.large_count = large;
  variant.list_count = lists;
  variant.least = plan.lower_bound;
  variant.slots = file.slots().data() + plan.first_slot;
  variant.scopes = file.scopes().data() + plan.first_scope;
  variant.loops = loops_of(file, plan);
  variant.hot = pieces.take<HotSlot>(plan.slot_count + std::uint64_t{1});
  variant.seen = pieces.take<Seen>(plan.slot_count);
  Builder builder{.file = file,
                  .plan = plan,
                  .variant = variant,
                  .anew = pieces.take<PlacedAnew>(large),
                  .heights = pieces.take<std::uint64_t>(large),
                  .large_of = pieces.take<std::uint16_t>(plan.slot_count),
                  .lists = pieces.take<PlanList>(lists + std::uint64_t{1}),
                  .list_of = pieces.take<std::uint16_t>(plan.slot_count),
                  .by_site = pieces.take<std::uint32_t>(plan.slot_count),
                  .site_begins = pieces.take<std::uint32_t>(file.sites().size() + 1),
                  .sizes_of_site = pieces.take<SizesOfSite>(file.sites().size()),
                  .links = pieces.take<ScopeLinks>(plan.scope_count),
                  .names = pieces.take<ScopeName>(plan.scope_count),
                  .by_name = pieces.take<std::uint32_t>(plan.scope_count),
                  .loop_around = pieces.take<std::uint32_t>(variant.loops.size())};
  variant.large_of = builder.large_of;
  variant.lists = builder.lists;
  variant.list_of = builder.list_of;
  variant.by_site = builder.by_site;
  variant.site_begins = builder.site_begins;
  variant.sizes_of_site = builder.sizes_of_site;
  variant.links = builder.links;
  variant.names = builder.names;
  variant.by_name = builder.by_name;
  variant.loop_around = builder.loop_around;
  return builder;
}

void fill_slots(Builder& to, std::span<const CellPlace> cells) {
  for (std::uint32_t index = 0; index < to.plan.slot_count; ++index) {
    const PlanSlot& slot = to.variant.slots[index];
    HotSlot* hot = new (&to.variant.hot[index]) HotSlot{};
    hot->site.store(kNoSite, std::memory_order_relaxed);
    if (slot.zone != PlanZone::kCell) continue;
    hot->granule = cells[slot.place].granule;
    hot->bytes = cells[slot.place].bytes;
  }
  fill_lists(to);
  HotSlot* end = new (&to.variant.hot[to.plan.slot_count]) HotSlot{};
  end->site.store(kNoSite, std::memory_order_relaxed);
}

void find_room_for_products(Builder& to) {
  Formulas& formulas = to.variant.formulas;
  for (const PlanFormula& formula : formulas.all) {
    if (is_line(formula) || !tells_product(formula)) continue;
    const std::uint64_t room = room_in(to.variant, formula.slot);
    std::uint64_t& fits = formulas.fits[kind_of(formula)];
    fits = std::max(fits, (room - std::min(room, formula.base)) / formula.factor);
  }
}

}  // namespace memo::runtime
