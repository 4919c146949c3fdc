#include "runtime/plan/variant_check.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "runtime/formats/place_runs.h"
#include "runtime/formats/rounding.h"

namespace memo::runtime {
namespace {

bool check_scopes(const PlanFile& file, const PlanVariant& variant, PlanFault* why) {
  std::uint32_t previous = 0;
  for (std::uint32_t index = 0; index < variant.scope_count; ++index) {
    const PlanScope& scope = file.scopes()[variant.first_scope + index];
    const bool ranged = previous <= scope.first_slot && scope.first_slot <= scope.end_slot &&
                        scope.end_slot <= variant.slot_count;
    const bool rooted = scope.parent == kNoScope || scope.parent < index;
    if (!ranged || !rooted || scope.name >= file.strings().size()) {
      return fault(why, "scope %u names slots or scopes that are not there", index);
    }
    previous = scope.first_slot;
  }
  return true;
}

bool fits_cell(const PlanFile& file, const PlanSlot& slot) {
  return slot.place < file.cells().size() && slot.size <= file.cells()[slot.place].bytes &&
         slot.alignment <= kGranule;
}

// Looks at the first cell of a list alone, so that a small file with long lists is read fast. The arena looks at the size of each
// cell that it takes.
bool fits_list(const PlanFile& file, const PlanSlot& slot) {
  const PlanList list = list_at(slot.place);
  const std::span<const PlanCell> cells = file.cells();
  return list.cells != 0 && list.first < cells.size() && list.cells <= cells.size() - list.first &&
         slot.alignment <= kGranule && slot.size <= cells[list.first].bytes;
}

bool fits_large(const PlanFile& file, const PlanVariant& variant, const PlanSlot& slot) {
  const std::uint64_t step = slot.alignment > kGranule ? slot.alignment : kGranule;
  return slot.place >= file.header().large_start && slot.place <= variant.height && slot.place % step == 0 &&
         slot.size != 0 && slot.size <= variant.height - slot.place;
}

bool check_slot(const PlanFile& file, const PlanVariant& variant, const PlanSlot& slot) {
  const bool linked = slot.site < file.sites().size() &&
                      (slot.scope == kNoScope || slot.scope < variant.scope_count) &&
                      slot.freed_at <= variant.slot_count;
  if (!linked || !std::has_single_bit(slot.alignment) || slot.alignment > kMaxPlanAlignment) return false;
  if (slot.zone == PlanZone::kCell) return fits_cell(file, slot);
  if (slot.zone == PlanZone::kLarge) return fits_large(file, variant, slot);
  if (has_list(slot.zone)) return fits_list(file, slot);
  return is_on_heap(slot.zone) && slot.place == 0;
}

bool check_slots(const PlanFile& file, const PlanVariant& variant, PlanFault* why) {
  std::uint32_t lists = 0;
  std::uint64_t end = file.header().large_start;
  for (std::uint32_t index = 0; index < variant.slot_count; ++index) {
    const PlanSlot& slot = file.slots()[variant.first_slot + index];
    if (!check_slot(file, variant, slot)) {
      return fault(why, "slot %u has a place, a size or a name that is not possible", index);
    }
    lists += has_list(slot.zone) ? 1U : 0U;
    if (is_large(slot)) end = std::max(end, slot.place + whole_granules(slot.size));
  }
  if (end != variant.height) {
    return fault(why, "a variant is %llu bytes high and its slots end at %llu",
                 static_cast<unsigned long long>(variant.height), static_cast<unsigned long long>(end));
  }
  const std::uint32_t places = count_places(file.slots().subspan(variant.first_slot, variant.slot_count));
  if (places > kMaxLargePlaces || lists > kMaxLists) {
    return fault(why, "a variant has %u places for large blocks and %u lists, at most %u and %u are possible",
                 places, lists, kMaxLargePlaces, kMaxLists);
  }
  return true;
}

bool holds(std::uint64_t count, std::uint32_t first, std::uint32_t length) {
  return first <= count && length <= count - first;
}

}  // namespace

bool check_variant(const PlanFile& file, const PlanVariant& variant, PlanFault* why) {
  const std::uint64_t large_start = file.header().large_start;
  if (!holds(file.scopes().size(), variant.first_scope, variant.scope_count) ||
      !holds(file.slots().size(), variant.first_slot, variant.slot_count) ||
      variant.strategy >= file.strings().size()) {
    return fault(why, "a variant names slots, scopes or words that are not there");
  }
  if (variant.height < large_start || variant.height % kGranule != 0 || variant.height > kMaxPlanHeight) {
    return fault(why, "a variant is %llu bytes high", static_cast<unsigned long long>(variant.height));
  }
  return check_scopes(file, variant, why) && check_slots(file, variant, why);
}

}  // namespace memo::runtime
