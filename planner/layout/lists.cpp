#include "planner/layout/lists.h"

#include <algorithm>
#include <vector>

#include "planner/layout/selection.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

// A demand whose blocks are gathered.
struct Candidate {
  Demand* demand = nullptr;
  std::uint32_t* lists = nullptr;  // how many lists its variant has

  [[nodiscard]] Bytes bytes() const {
    return static_cast<Bytes>(list_cell_bytes(*demand)) * Bytes{demand->cells};
  }
};

bool has_own_list(const Demand& demand) {
  return has_list(demand.zone) && demand.pool == 0;
}

bool fits_list(const Demand& demand) {
  return demand.alignment <= static_cast<Bytes>(kGranule) && demand.size <= static_cast<Bytes>(kMaxCellBytes);
}

// Returns the demands with a list of their own, those of small blocks first: they are served for the fewest bytes.
std::vector<Candidate> candidates_of(std::span<Variant> variants, std::span<std::uint32_t> lists) {
  std::vector<Candidate> candidates;
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (Demand& demand : variants[v].demands)
      if (has_own_list(demand)) candidates.push_back({&demand, &lists[v]});
  std::ranges::stable_sort(candidates, {}, [](const Candidate& candidate) { return candidate.demand->size; });
  return candidates;
}

Bytes most_for_lists(std::span<const Variant> variants) {
  auto most = static_cast<Bytes>(kListsMayTake);
  for (const Variant& variant : variants) most = std::max(most, lower_bound(variant));
  return most;
}

// Leaves the blocks of pools to the heap if more slots share them than can have a list. Returns how many slots share some then.
std::uint32_t settle_pools(Variant& variant) {
  const auto sharing =
      std::ranges::count_if(variant.demands, [](const Demand& demand) { return demand.pool != 0; });
  if (sharing <= std::ptrdiff_t{kMaxLists}) return static_cast<std::uint32_t>(sharing);
  for (Demand& demand : variant.demands)
    if (demand.pool != 0) demand.zone = PlanZone::kHeap;
  return 0;
}

}  // namespace

std::uint64_t list_cell_bytes(const Demand& demand) {
  return runtime::whole_granules(static_cast<std::uint64_t>(demand.size));
}

void leave_lists_out(std::span<Variant> variants) {
  Bytes left = most_for_lists(variants);
  std::vector<std::uint32_t> lists;
  for (Variant& variant : variants) lists.push_back(settle_pools(variant));
  for (const Candidate& candidate : candidates_of(variants, lists)) {
    if (!fits_list(*candidate.demand) || candidate.bytes() > left || *candidate.lists == kMaxLists) {
      candidate.demand->zone = PlanZone::kHeap;
      continue;
    }
    left -= candidate.bytes();
    ++*candidate.lists;
  }
}

}  // namespace memo::planner
