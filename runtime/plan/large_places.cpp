// Computes the places of a variant's large slots.
#include <algorithm>

#include "runtime/formats/rounding.h"
#include "runtime/plan/growth.h"
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

// Places the large slots as planned, at t = 0, above cells that may have grown. Returns false if the variant is
// higher than a plan can be.
bool put_as_planned(Builder& to, std::uint64_t large_start) {
  const std::uint64_t moved = large_start - to.file.header().large_start;
  if (to.plan.height + moved > kMaxPlanHeight) return false;
  for (const std::uint32_t slot : large_slots(to))
    to.variant.hot[slot].granule =
        static_cast<std::uint32_t>((to.variant.slots[slot].place + moved) / kGranule);
  return true;
}

// Numbers the large slots by place: slots that share bytes get numbers close to each other, which keeps masks
// short.
void number_large(Builder& to) {
  const std::span<std::uint32_t> slots = large_slots(to);
  const HotSlot* hot = to.variant.hot;
  std::sort(slots.begin(), slots.end(), [hot](std::uint32_t a, std::uint32_t b) {
    return hot[a].granule != hot[b].granule ? hot[a].granule < hot[b].granule : a < b;
  });
  for (std::uint32_t slot = 0; slot < to.plan.slot_count; ++slot) {
    const bool kept = to.variant.slots[slot].zone == PlanZone::kKept;
    to.large_of[slot] = static_cast<std::uint16_t>(slots.size() + (kept ? kKeptEntry : 0));
  }
  for (std::uint32_t number = 0; number < slots.size(); ++number) {
    const std::uint32_t slot = slots[number];
    const std::uint64_t bytes = whole_granules(size_at(to.variant.slots[slot], to.variant.t));
    to.large_of[slot] = static_cast<std::uint16_t>(number);
    to.large[number] = {
        .bytes = bytes, .granule = hot[slot].granule, .first_word = 0, .words = 0, .mask = nullptr};
    if (is_of_peak(to.variant, to.large[number])) {
      to.peak_of[slot] = static_cast<std::uint16_t>(number);
      to.large_of[slot] = static_cast<std::uint16_t>(slots.size() + kPeakEntry);
    }
    to.variant.height = std::max(to.variant.height, hot[slot].granule * std::uint64_t{kGranule} + bytes);
  }
}

}  // namespace

bool place_large_slots(Builder& to, std::uint64_t large_start) {
  const bool as_planned = to.variant.t == 0 && !to.variant.enlarged;
  if (!(as_planned ? put_as_planned : place_anew)(to, large_start)) return false;
  number_large(to);
  return true;
}

}  // namespace memo::runtime
