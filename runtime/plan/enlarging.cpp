// Slots as large as passes asked for.
#include <algorithm>

#include "runtime/plan/growth.h"
#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {
namespace {

// Shapes that are drawn at random come a little larger again and again. A little more than was seen, 1/32, saves some of
// the growths; each makes the plan higher by as much.
constexpr std::uint64_t kRoomBeyondSeen = 32;

// Cuts what no plan holds to a size that is refused: the sum of a place and the largest sizes would wrap around.
std::uint64_t seen_at(const Variant& variant, std::uint32_t slot) {
  return std::min(variant.seen[slot].load(std::memory_order_relaxed), kNoPlanHoldsIt);
}

// Keeps the smallest size that was seen in the slot, which counts from its size down.
void enlarge(PlanSlot& slot, std::uint64_t size) {
  if (size <= slot.size) return;
  const std::uint64_t spread = slot.spread + (size - slot.size);
  slot.spread = static_cast<std::uint32_t>(std::min<std::uint64_t>(spread, UINT32_MAX));
  slot.size = size;
}

}  // namespace

void enlarge_slots(LoadedPlan& plan, const PlanFile& copy) {
  for (std::size_t index = 0; index < plan.variants.size(); ++index) {
    Variant& variant = plan.variants[index];
    if (!variant.outgrown.exchange(false, std::memory_order_relaxed)) continue;
    variant.confined.store(true, std::memory_order_relaxed);
    const std::uint32_t first = copy.variants()[index].first_slot;
    auto* slots = const_cast<PlanSlot*>(copy.slots().data()) + first;
    ConfirmedFactor factor;
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot)
      if (const std::uint64_t seen = seen_at(variant, slot); seen > slots[slot].size)
        factor.add(slots[slot].size, seen);
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot) {
      const std::uint64_t seen = seen_at(variant, slot);
      enlarge(slots[slot], std::min(seen + seen / kRoomBeyondSeen, slots[slot].size * factor.most()));
    }
  }
}

}  // namespace memo::runtime
