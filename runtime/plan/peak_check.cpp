#include "runtime/plan/peak_check.h"

#include <algorithm>
#include <cstdint>

#include "runtime/formats/rounding.h"

namespace memo::runtime {
namespace {

bool check_numbers(const PlanFile& file, const PlanPeaks& peaks, PlanFault* why) {
  if (peaks.split % kGranule != 0 || peaks.split < file.header().large_start || peaks.split > kMaxPlanHeight)
    return fault(why, "its peak begins at %llu, inside the cells or nowhere",
                 static_cast<unsigned long long>(peaks.split));
  if (peaks.regions == 0 || peaks.regions > kMaxPeakRegions || peaks.concurrent == 0)
    return fault(why, "it has %u peak regions for %u passes at once, 1 to %u for at least one are possible",
                 peaks.regions, peaks.concurrent, kMaxPeakRegions);
  return true;
}

// Returns true if all bytes of the slot are below the split.
bool is_below(const PlanSlot& slot, std::uint64_t split) {
  return slot.zone != PlanZone::kLarge || slot.place + whole_granules(slot.size) <= split;
}

bool is_aligned_in_region(const PlanSlot& slot, std::uint64_t split) {
  return slot.place >= split && (slot.place - split) % slot.alignment == 0;
}

// Returns true if the slots of the variant neither grow nor belong to lists, and none is a worker's.
bool may_be_split(const PlanFile& file, const PlanVariant& variant) {
  const auto number = static_cast<std::uint32_t>(&variant - file.variants().data());
  const auto is_of_it = [number](const auto& entry) { return entry.variant == number; };
  const auto slots = file.slots().subspan(variant.first_slot, variant.slot_count);
  return variant.pass_key != kWorkerPassKey && std::ranges::none_of(file.loops(), is_of_it) &&
         std::ranges::none_of(file.formulas(), is_of_it) &&
         std::ranges::none_of(
             slots, [](const PlanSlot& slot) { return slot.zone == PlanZone::kList || slot.growth != 0; });
}

bool check_slots(const PlanFile& file, const PlanVariant& variant, std::uint64_t split, PlanFault* why) {
  if (variant.height <= split) return true;
  if (!may_be_split(file, variant))
    return fault(why, "a variant with loops, lists or sizes that grow, or of workers, has slots of the peak");
  for (std::uint32_t index = 0; index < variant.slot_count; ++index) {
    const PlanSlot& slot = file.slots()[variant.first_slot + index];
    if (!is_below(slot, split) && !is_aligned_in_region(slot, split))
      return fault(why, "slot %u lies across the begin of the peak, or is not aligned in its region", index);
  }
  return true;
}

}  // namespace

bool check_peaks(const PlanFile& file, PlanFault* why) {
  const PlanPeaks* peaks = file.peaks();
  if (peaks == nullptr) return true;
  if (!check_numbers(file, *peaks, why)) return false;
  return std::ranges::all_of(file.variants(), [&](const PlanVariant& variant) {
    return check_slots(file, variant, peaks->split, why);
  });
}

}  // namespace memo::runtime
