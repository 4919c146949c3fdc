#include "runtime/plan/cells.h"

#include <algorithm>

#include "runtime/formats/rounding.h"
#include "runtime/plan/growth.h"

namespace memo::runtime {
namespace {

// Makes each cell as large as the largest of its slots, but no larger than a cell can be: larger blocks go to
// the heap.
void grow_cells(const PlanFile& file, const PlanVariant& plan, std::uint64_t t, std::span<CellPlace> cells) {
  for (const PlanSlot& slot : file.slots().subspan(plan.first_slot, plan.slot_count)) {
    if (slot.zone != PlanZone::kCell) continue;
    const std::uint64_t bytes = std::min(whole_granules(size_at(slot, t)), kMaxCellBytes);
    CellPlace& cell = cells[slot.place];
    cell.bytes = std::max(cell.bytes, static_cast<std::uint32_t>(bytes));
  }
}

// Places the cells one after the other. Returns where they end.
std::uint64_t place_cells(std::span<CellPlace> cells) {
  std::uint64_t end = 0;
  for (CellPlace& cell : cells) {
    cell.granule = static_cast<std::uint32_t>(end / kGranule);
    end += cell.bytes;
  }
  return end;
}

std::uint64_t strictest_alignment(const PlanFile& file) {
  std::uint64_t alignment = kGranule;
  for (const PlanSlot& slot : file.slots())
    if (slot.zone == PlanZone::kLarge) alignment = std::max<std::uint64_t>(alignment, slot.alignment);
  return alignment;
}

}  // namespace

bool build_cells(LoadedPlan& loaded, std::span<CellPlace> cells) {
  const PlanFile& file = loaded.file;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) cells[cell].bytes = file.cells()[cell].bytes;
  for (std::size_t index = 0; index < loaded.variants.size(); ++index)
    grow_cells(file, file.variants()[index], loaded.variants[index].t, cells);
  const std::uint64_t end = place_cells(cells);
  const std::uint64_t step = strictest_alignment(file);
  loaded.large_start = end <= file.header().large_start ? file.header().large_start : round_up(end, step);
  return loaded.large_start <= kMaxPlanHeight;
}

}  // namespace memo::runtime
