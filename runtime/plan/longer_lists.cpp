#include "runtime/plan/longer_lists.h"

#include <algorithm>

#include "runtime/formats/rounding.h"
#include "runtime/plan/growth.h"

namespace memo::runtime {
namespace {

std::uint64_t bytes_of(const LoadedPlan& plan, const PlanList& list) {
  return std::uint64_t{list.cells} * plan.cells[list.first].bytes;
}

// Calls for each list of a variant, with the first slot that has it, in the order of these slots.
template <typename Visit>
void for_each_list(const Variant& variant, const Visit& visit) {
  std::uint32_t known = 0;
  for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot) {
    const std::uint32_t number = variant.list_of[slot];
    if (number != known || variant.lists[number].cells == 0) continue;
    ++known;
    visit(number, slot);
  }
}

// Takes the wishes of a plan's passes, once for all: passes go on having them meanwhile. Grants them if there is room.
struct Granted {
  explicit Granted(LoadedPlan& plan) {
    const bool granted = has_room_for_longer_lists(plan);
    for (std::size_t index = 0; index < plan.variants.size(); ++index) {
      Variant& variant = plan.variants[index];
      longer[index] = variant.state.take(GrowthState::kWantsLongerLists) && granted;
      if (longer[index]) variant.state.set(GrowthState::kConfined);
    }
  }
  bool longer[kMaxVariants]{};
};

std::uint32_t cells_wanted(const Variant& variant, std::uint32_t number, std::uint32_t slot, bool longer) {
  const std::uint32_t cells = variant.lists[number].cells;
  return longer && variant.slots[slot].zone == PlanZone::kList ? 2 * cells : cells;
}

std::size_t cells_of_all(const LoadedPlan& plan, const Granted& granted) {
  std::size_t cells = plan.spare_cells.size();
  for (std::size_t index = 0; index < plan.variants.size(); ++index) {
    const Variant& variant = plan.variants[index];
    for_each_list(variant, [&](std::uint32_t number, std::uint32_t slot) {
      cells += cells_wanted(variant, number, slot, granted.longer[index]);
    });
  }
  return std::max(cells, plan.cells.size());  // a slot may have a cell behind them all
}

// Writes the cells of a copy: the small ones as they are, then those of the lists, one list after the other.
class Writer {
 public:
  Writer(const LoadedPlan& plan, const Granted& granted, const PlanFile& copy, std::size_t cells)
      : plan_(plan), granted_(granted), copy_(copy) {
    auto* bytes = const_cast<unsigned char*>(copy.bytes);
    PlanTable& table = reinterpret_cast<PlanHeader*>(bytes)->table<PlanCell>();
    table = {.offset = round_up(copy.size + copy.more - cells * sizeof(PlanCell) - 7, 8), .count = cells};
    cells_ = reinterpret_cast<PlanCell*>(bytes + table.offset);
    std::fill_n(cells_, cells, PlanCell{kGranule});
    std::copy_n(plan.file.cells().data(), plan.file.cells().size(), cells_);
  }

  void write() {
    for (std::size_t index = 0; index < plan_.variants.size(); ++index) write(index);
  }

 private:
  void write(std::size_t index) {
    const Variant& variant = plan_.variants[index];
    PlanList moved[kMaxLists];
    for_each_list(variant, [&](std::uint32_t number, std::uint32_t slot) {
      moved[number] = {.first = end_, .cells = cells_wanted(variant, number, slot, granted_.longer[index])};
      std::fill_n(cells_ + end_, moved[number].cells,
                  PlanCell{plan_.cells[variant.lists[number].first].bytes});
      end_ += moved[number].cells;
    });
    auto* slots = const_cast<PlanSlot*>(copy_.slots().data()) + copy_.variants()[index].first_slot;
    for (std::uint32_t slot = 0; slot < variant.slot_count; ++slot)
      if (has_list(slots[slot].zone)) slots[slot].place = place_of(moved[variant.list_of[slot]]);
  }

  const LoadedPlan& plan_;
  const Granted& granted_;
  const PlanFile& copy_;
  PlanCell* cells_;
  std::uint32_t end_ = static_cast<std::uint32_t>(plan_.spare_cells.size());
};

}  // namespace

bool has_room_for_longer_lists(const LoadedPlan& plan) {
  std::uint64_t most = kListsMayTake;
  std::uint64_t bytes = 0;
  for (const Variant& variant : plan.variants) {
    most = std::max(most, variant.least);
    for_each_list(variant, [&](std::uint32_t number, std::uint32_t slot) {
      if (variant.slots[slot].zone == PlanZone::kList) bytes += 2 * bytes_of(plan, variant.lists[number]);
    });
  }
  return bytes <= most;
}

bool copy_with_longer_lists(LoadedPlan& plan, PlanFile* copy) {
  const Granted granted(plan);
  if (std::none_of(granted.longer, granted.longer + plan.variants.size(), [](bool longer) { return longer; }))
    return copy_plan(plan.file, copy);
  const std::size_t cells = cells_of_all(plan, granted);
  if (!copy_plan(plan.file, copy, cells * sizeof(PlanCell) + 7)) return false;
  Writer(plan, granted, *copy, cells).write();
  return true;
}

}  // namespace memo::runtime
