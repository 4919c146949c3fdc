// A variant while it is made ready: its arrays, still writable, and the steps that fill them in.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/formats/slot_life.h"
#include "runtime/plan/loaded_plan.h"
#include "runtime/plan/pieces.h"

namespace memo::runtime {

// A large slot that is laid out anew, with those that go on in its place.
struct PlacedAnew {
  SlotLife life;
  std::uint32_t slot;          // the first
  std::uint32_t granule, end;  // its place, and where it ends
};

// The writable arrays of a variant while it is filled in.
struct Builder {
  const PlanFile& file;
  const PlanVariant& plan;
  Variant& variant;

  PlacedAnew* anew;        // the large places while they are laid out anew (places_anew.cpp)
  std::uint64_t* heights;  // likewise, for each of their beginnings
  std::uint16_t* large_of;
  PlanList* lists;
  std::uint16_t* list_of;
  std::uint32_t* by_site;
  std::uint32_t* site_begins;
  SizesOfSite* sizes_of_site;
  ScopeLinks* links;
  ScopeName* names;
  std::uint32_t* by_name;
  std::uint32_t* loop_around;
};

[[nodiscard]] inline std::span<const PlanSlot> slots_of(const Builder& to) {
  return {to.variant.slots, to.plan.slot_count};
}

// Returns how many words a mask takes that has a bit for each place.
constexpr std::uint32_t mask_words(std::uint32_t place_count) {
  return (place_count + 63) / 64;
}

// The variants from `first` to before `end`, which follow each other in the file and share a table of large places.
struct VariantGroup {
  std::uint32_t first, end;
  std::uint32_t large;  // places of all of them: those that differ are no more
};

// The writable arrays of a group while they are filled in.
struct GroupBuilder {
  Builder* variants;
  std::uint32_t variant_count;
  LargeSlot* large;
  std::uint64_t* masks;
  std::uint32_t* by_end;  // see find_conflicts()
  std::uint32_t place_count;
};

// Returns the group that begins with this variant.
[[nodiscard]] VariantGroup group_from(const PlanFile& file, std::uint32_t first);

// Takes the group's arrays from `pieces`, but for those of its variants.
GroupBuilder lay_out(Pieces& pieces, const VariantGroup& group);

[[nodiscard]] inline std::span<const PlanSlot> slots_of(const PlanFile& file, const PlanVariant& plan) {
  return file.slots().subspan(plan.first_slot, plan.slot_count);
}

[[nodiscard]] std::uint32_t count_lists(const PlanFile& file, const PlanVariant& plan);

// Returns the variant's number in the file.
[[nodiscard]] inline std::uint32_t number_of(const PlanFile& file, const PlanVariant& plan) {
  return static_cast<std::uint32_t>(&plan - file.variants().data());
}

// Takes the variant's arrays from `pieces`. Makes no use of them where there is no memory yet.
Builder lay_out(Pieces& pieces, const PlanFile& file, const PlanVariant& plan, Variant& variant);

// --- the steps, in this order ------------------------------------------------------------------------------

// Fills in the slots and lists, but for the places of large slots, which come later.
void fill_slots(Builder& to, std::span<const CellPlace> cells);

// Places the large slots above the cells, which end at `large_start`: as planned, or anew where sizes have changed.
// Returns false if the variant is higher than a plan can be.
[[nodiscard]] bool place_large_slots(Builder& to, std::uint64_t large_start);

// Places the large slots anew, above `large_start`: in the planned order, or, where that leaves holes, the largest first.
// Returns false if the variant is higher than a plan can be.
[[nodiscard]] bool place_anew(Builder& to, std::uint64_t large_start);

// Finds the largest products that the variant's slots have room for.
void find_room_for_products(Builder& to);

// Numbers the places of the large slots of all variants of a group, from the lowest on.
void number_places(GroupBuilder& to);

// Finds out which places of a group share bytes.
void find_conflicts(const GroupBuilder& to);

// Sorts the slots by call site.
void index_by_site(Builder& to);

// Links the scopes of each name, and marks those behind a loop.
void link_names(Builder& to);

// Notes the loop around each loop.
void link_loops(Builder& to);

}  // namespace memo::runtime
