#include "runtime/plan/cells.h"

#include <algorithm>

#include "runtime/formats/rounding.h"

namespace memo::runtime {
namespace {

// Returns the cell of a slot, or the first one of its list; nullptr for a slot that has neither.
CellPlace* first_cell_of(const PlanSlot& slot, std::span<CellPlace> cells) {
  if (slot.zone == PlanZone::kCell) return &cells[slot.place];
  return has_list(slot.zone) ? &cells[list_at(slot.place).first] : nullptr;
}

// Makes each cell as large as the largest of its slots, but no larger than a cell can be: larger blocks go to
// the heap. Of a list only the first. Returns false for a size that no plan holds.
bool grow_cells(const PlanFile& file, const PlanVariant& plan, std::span<CellPlace> cells) {
  for (const PlanSlot& slot : file.slots().subspan(plan.first_slot, plan.slot_count)) {
    CellPlace* cell = first_cell_of(slot, cells);
    if (cell == nullptr) continue;
    if (slot.size > kMaxPlanHeight) return false;
    const std::uint64_t bytes = std::min(whole_granules(slot.size), kMaxCellBytes);
    cell->bytes = std::max(cell->bytes, static_cast<std::uint32_t>(bytes));
  }
  return true;
}

// Makes the cells of each list as large as its first one. Lists come in the order of their cells; one that does not begin
// behind those before shares theirs. So it looks at each cell once, whatever the file says.
void grow_lists(const PlanFile& file, std::span<CellPlace> cells) {
  std::uint32_t end = 0;
  for (const PlanSlot& slot : file.slots()) {
    const PlanList list = has_list(slot.zone) ? list_at(slot.place) : PlanList{};
    if (list.cells == 0 || list.first < end) continue;
    end = list.first + list.cells;
    for (CellPlace& cell : cells.subspan(list.first, list.cells))
      cell.bytes = std::max(cell.bytes, cells[list.first].bytes);
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

// Returns how many cells come before the first one of a list.
std::size_t cells_before_lists(const PlanFile& file) {
  std::size_t count = file.cells().size();
  for (const PlanSlot& slot : file.slots())
    if (has_list(slot.zone)) count = std::min<std::size_t>(count, list_at(slot.place).first);
  return count;
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
  for (const PlanVariant& variant : file.variants())
    if (!grow_cells(file, variant, cells)) return false;
  grow_lists(file, cells);
  loaded.spare_cells = loaded.cells.first(cells_before_lists(file));
  const std::uint64_t end = place_cells(cells);
  const std::uint64_t step = strictest_alignment(file);
  loaded.large_start = end <= file.header().large_start ? file.header().large_start : round_up(end, step);
  return loaded.large_start <= kMaxPlanHeight;
}

}  // namespace memo::runtime
