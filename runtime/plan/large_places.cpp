// Computes the places of a variant's large slots.
#include <algorithm>

#include "runtime/formats/place_runs.h"
#include "runtime/formats/rounding.h"
#include "runtime/plan/variant_builder.h"

namespace memo::runtime {
namespace {

// Returns the numbers of the large slots. They lie in by_site, which is not in use yet: index_by_site() fills
// it later.
std::span<std::uint32_t> large_slots(Builder& to) {
  std::uint32_t count = 0;
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot) {
    if (to.variant.slots[slot].zone == PlanZone::kLarge) to.by_site[count++] = slot;
  }
  return {to.by_site, count};
}

// Places the large slots as planned, above cells that may have grown. Returns false if the variant is
// higher than a plan can be.
bool put_as_planned(Builder& to, std::uint64_t large_start) {
  const std::uint64_t moved = large_start - to.file.header().large_start;
  if (to.plan.height + moved > kMaxPlanHeight) return false;
  for (const std::uint32_t slot : large_slots(to))
    to.variant.hot[slot].granule =
        static_cast<std::uint32_t>((to.variant.slots[slot].place + moved) / kGranule);
  return true;
}

// Returns the place of a large slot, without its number and mask.
LargeSlot place_in(const Variant& variant, std::uint32_t slot) {
  return {.bytes = whole_granules(variant.slots[slot].size),
          .granule = variant.hot[slot].granule,
          .first_word = 0,
          .words = 0,
          .mask = nullptr};
}

bool lies_before(const LargeSlot& a, const LargeSlot& b) {
  return a.granule != b.granule ? a.granule < b.granule : a.bytes < b.bytes;
}

void note_height(Builder& to) {
  for (const std::uint32_t slot : large_slots(to)) {
    const LargeSlot place = place_in(to.variant, slot);
    to.variant.height = std::max(to.variant.height, place.granule * std::uint64_t{kGranule} + place.bytes);
  }
}

// Collects the places of all variants of a group in their order, each once, and before one of no bytes.
void collect_places(GroupBuilder& to) {
  LargeSlot* end = to.large;
  for (Builder& member : std::span(to.variants, to.variant_count)) {
    for_large_slots(slots_of(member), [&](std::uint32_t slot, bool goes_on) {
      if (!goes_on) *end++ = place_in(member.variant, slot);
    });
  }
  std::sort(to.large, end, lies_before);
  const auto same = [](const LargeSlot& a, const LargeSlot& b) {
    return a.granule == b.granule && a.bytes == b.bytes;
  };
  LargeSlot* last = std::unique(to.large, end, same);
  to.place_count = static_cast<std::uint32_t>(last - to.large);
  std::fill(last, end + 1, LargeSlot{});
}

// Leads the slots of a variant to their places, and those without one to the entry of no bytes.
void lead_to_places(const GroupBuilder& group, Builder& to) {
  const std::span<const LargeSlot> places(group.large, group.place_count);
  to.variant.large = group.large;
  to.variant.place_count = group.place_count;
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot) {
    to.large_of[slot] = static_cast<std::uint16_t>(group.place_count);
    if (to.variant.slots[slot].zone != PlanZone::kLarge) continue;
    const auto place =
        std::lower_bound(places.begin(), places.end(), place_in(to.variant, slot), lies_before);
    to.large_of[slot] = static_cast<std::uint16_t>(place - places.begin());
  }
}

}  // namespace

bool place_large_slots(Builder& to, std::uint64_t large_start) {
  const bool anew = to.variant.state.has(GrowthState::kLaidOutAnew);
  if (!(anew ? place_anew : put_as_planned)(to, large_start)) return false;
  note_height(to);
  return true;
}

// In the order of the places, those that share bytes get numbers close to each other, which keeps masks short.
void number_places(GroupBuilder& to) {
  collect_places(to);
  for (Builder& member : std::span(to.variants, to.variant_count)) lead_to_places(to, member);
}

}  // namespace memo::runtime
