#include "planner/plan/memory_need.h"

#include <algorithm>
#include <vector>

#include "planner/plan/worker_key.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

using runtime::round_up;

constexpr std::uint64_t kPage = 4096;

}  // namespace

std::uint64_t lane_memory(std::uint64_t height) {
  const std::uint64_t pages = round_up(height, kPage);
  return std::max(pages, (pages + kHugePage / 2) / kHugePage * kHugePage);
}

std::uint64_t heap_beside(const PlanVariantDescription& variant) {
  std::vector<std::int64_t> changes(variant.slots.size() + 1, 0);
  for (std::uint32_t slot = 0; slot < variant.slots.size(); ++slot) {
    if (variant.slots[slot].zone != PlanZone::kHeap) continue;
    const SlotLife life = life_of(variant, slot);
    const auto size = static_cast<std::int64_t>(std::min(variant.slots[slot].size, kMaxPlanHeight));
    changes[life.begin] += size;
    changes[std::max(life.end, life.begin + 1)] -= size;
  }
  std::int64_t live = 0;
  std::int64_t most = 0;
  for (const std::int64_t change : changes) most = std::max(most, live += change);
  return static_cast<std::uint64_t>(most);
}

MemoryNeed need_of(const PlanDescription& plan) {
  MemoryNeed need;
  for (const PlanVariantDescription& variant : plan.variants) {
    const std::uint64_t lane = lane_memory(height(plan, variant));
    need.lane = std::max(need.lane, lane);
    if (is_key_of_workers(variant.pass_key))
      need.worker = std::max(need.worker, lane);
    else
      need.heap = std::max(need.heap, heap_beside(variant));
  }
  return need;
}

std::uint64_t needed_at_once(const MemoryNeed& need, std::uint64_t base, std::uint64_t at_once) {
  return base + at_once * need.request();
}

std::uint64_t fitting_at_once(const MemoryNeed& need, std::uint64_t base, std::uint64_t limit) {
  if (limit <= base) return 0;
  return std::min((limit - base) / std::max<std::uint64_t>(need.request(), 1), kMostAtOnce);
}

}  // namespace memo::planner
