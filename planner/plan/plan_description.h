// A plan as plain data: `memomalloc plan` builds it, `inspect` prints it, and JSON spells it out. plan_writer
// turns it into the file that the arena serves from, and plan_reader turns that file back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner/plan/shape_range.h"
#include "planner/plan/size_formula.h"
#include "runtime/formats/plan_format.h"
#include "runtime/formats/slot_life.h"

namespace memo::planner {

struct PlanModuleDescription {
  std::string build_id;  // lower-case hexadecimal; "" where the binary has none
  std::string path;      // path of the binary in the profiled process
  friend bool operator==(const PlanModuleDescription&, const PlanModuleDescription&) = default;
};

struct PlanSiteDescription {
  std::uint32_t module = 0;  // index into PlanDescription::modules
  std::uint64_t offset = 0;  // return address minus load address
  friend auto operator<=>(const PlanSiteDescription&, const PlanSiteDescription&) = default;
};

struct PlanSlotDescription {
  PlanSiteDescription site;
  std::uint64_t size = 0;  // as requested; the writer rounds large slots up to 64 bytes
  std::uint32_t alignment = 1;
  std::uint32_t scope = kNoScope;  // index into the variant's scopes: the innermost one
  std::uint32_t freed_at = 0;      // see PlanSlot
  PlanZone zone = PlanZone::kCell;
  // kCell: number of the cell; kLarge: offset among the large slots; kHeap: 0; kList, kPool: number of the first cell
  std::uint64_t place = 0;
  std::uint32_t cells = 0;   // kList, kPool: how many cells it has
  std::uint32_t spread = 0;  // the smallest block seen here was so many bytes smaller than `size`
  SizeFormula formula = {};  // a line, or in the two numbers of the variant's `range`
  friend bool operator==(const PlanSlotDescription&, const PlanSlotDescription&) = default;
};

struct PlanScopeDescription {
  std::string name;
  std::uint32_t first_slot = 0;  // scopes nest: the range includes the slots of inner scopes
  std::uint32_t end_slot = 0;
  std::uint32_t parent = kNoScope;
  friend bool operator==(const PlanScopeDescription&, const PlanScopeDescription&) = default;
};

// Slots and scopes that the pass repeats any number of times (PlanLoop). A loop stands before those in it.
struct PlanLoopDescription {
  std::uint32_t first_slot = 0;
  std::uint32_t end_slot = 0;
  std::uint32_t slots = 0;  // slots of one iteration
  std::uint32_t first_scope = 0;
  std::uint32_t end_scope = 0;
  std::uint32_t scopes = 0;  // scopes of one iteration
  friend bool operator==(const PlanLoopDescription&, const PlanLoopDescription&) = default;
};

struct PlanVariantDescription {
  std::uint64_t fingerprint = 0;
  std::uint64_t pass_key = 0;
  std::uint64_t lower_bound = 0;
  std::uint32_t unplanned = 0;
  std::uint32_t shapes = 1;   // profiled shapes that the variant serves
  std::uint32_t warm_up = 0;  // passes of each kind that a process runs before its passes recur
  ShapeRange range = {};      // of a structure
  std::string strategy;
  std::vector<PlanScopeDescription> scopes;  // sorted by first_slot, an outer scope before those inside it
  std::vector<PlanSlotDescription> slots;    // in the order the program allocates
  std::vector<PlanLoopDescription> loops;    // one after the other
  friend bool operator==(const PlanVariantDescription&, const PlanVariantDescription&) = default;
};

// An allocation at this site, of `least` to `most` bytes, opens a pass.
struct PlanAnchorDescription {
  PlanSiteDescription site;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t pass_key = 0;
  friend bool operator==(const PlanAnchorDescription&, const PlanAnchorDescription&) = default;
};

struct PlanDescription {
  std::vector<PlanModuleDescription> modules;
  std::vector<std::uint64_t>
      cells;  // bytes of each, multiples of 64; one set for all variants (small_cells.h)
  std::vector<PlanVariantDescription> variants;
  std::vector<PlanAnchorDescription> anchors;  // empty where the program or hooks mark the passes
  friend bool operator==(const PlanDescription&, const PlanDescription&) = default;
};

inline constexpr PlanZone kPlanZones[] = {PlanZone::kCell, PlanZone::kLarge, PlanZone::kHeap,
                                          PlanZone::kList, PlanZone::kKept,  PlanZone::kPool};
[[nodiscard]] std::string_view name_of(PlanZone zone);

// Returns true if the slot has bytes of the slab for one block.
[[nodiscard]] inline bool has_place(const PlanSlotDescription& slot) {
  return slot.zone == PlanZone::kCell || slot.zone == PlanZone::kLarge;
}

// Returns where the large slots begin: the end of the cells, rounded up to the largest alignment of the large
// slots.
[[nodiscard]] std::uint64_t large_start(const PlanDescription& plan);

// Returns the slots between whose allocations the block of a slot may be alive.
[[nodiscard]] SlotLife life_of(const PlanVariantDescription& variant, std::uint32_t slot);

// Returns how many bytes of a lane this variant needs, cells included.
[[nodiscard]] std::uint64_t height(const PlanDescription& plan, const PlanVariantDescription& variant);

// Returns true if the sizes of some of the variant's slots follow the numbers of its shapes.
[[nodiscard]] bool has_formulas(const PlanVariantDescription& variant);

// Returns the bytes that the planned slots of a variant ask for in all.
[[nodiscard]] std::uint64_t bytes_requested(const PlanVariantDescription& variant);

}  // namespace memo::planner
