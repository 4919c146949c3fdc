#include "planner/layout/lists.h"

#include <algorithm>
#include <vector>

#include "runtime/formats/plan_format.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

// A slot whose blocks are gathered.
struct Candidate {
  Selection* selection = nullptr;
  std::uint32_t* lists = nullptr;  // how many lists its variant has
  std::size_t slot = 0;

  [[nodiscard]] const Demand& demand() const { return selection->demand(slot); }
  [[nodiscard]] Bytes bytes() const {
    return static_cast<Bytes>(list_cell_bytes(demand())) * static_cast<Bytes>(demand().gathered);
  }
};

bool may_have_list(const Demand& demand) {
  return demand.gathered != 0 && !demand.escapes && demand.pool == 0 &&
         demand.alignment <= static_cast<Bytes>(kGranule) && demand.size <= static_cast<Bytes>(kMaxCellBytes);
}

// Returns the slots that may have a list, those of small blocks first: they are served for the fewest bytes.
std::vector<Candidate> candidates_of(std::span<Selection> selections, std::span<std::uint32_t> lists) {
  std::vector<Candidate> candidates;
  for (std::size_t v = 0; v < selections.size(); ++v)
    for (std::size_t slot = 0; slot < selections[v].slots(); ++slot)
      if (may_have_list(selections[v].demand(slot))) candidates.push_back({&selections[v], &lists[v], slot});
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.demand().size < b.demand().size; });
  return candidates;
}

Bytes most_for_lists(std::span<const Selection> selections) {
  auto most = static_cast<Bytes>(kListsMayTake);
  for (const Selection& selection : selections) most = std::max(most, selection.lower_bound());
  return most;
}

// Gives the variant its pools. Leaves their blocks to the heap if more slots share them than can have a list.
std::uint32_t note_pools(Selection& selection) {
  std::vector<std::size_t> sharing;
  for (std::size_t slot = 0; slot < selection.slots(); ++slot)
    if (selection.demand(slot).pool != 0) sharing.push_back(slot);
  if (sharing.size() > kMaxLists) return 0;
  for (const std::size_t slot : sharing) selection.list_cells[slot] = selection.demand(slot).gathered;
  return static_cast<std::uint32_t>(sharing.size());
}

}  // namespace

std::uint64_t list_cell_bytes(const Demand& demand) {
  return runtime::whole_granules(static_cast<std::uint64_t>(demand.size));
}

void note_lists(std::span<Selection> selections) {
  Bytes left = most_for_lists(selections);
  std::vector<std::uint32_t> lists;
  for (Selection& selection : selections) lists.push_back(note_pools(selection));
  for (const Candidate& candidate : candidates_of(selections, lists)) {
    if (candidate.bytes() > left || *candidate.lists == kMaxLists) continue;
    left -= candidate.bytes();
    ++*candidate.lists;
    candidate.selection->list_cells[candidate.slot] = candidate.demand().gathered;
  }
}

}  // namespace memo::planner
