// Takes one slot or cell of the lane for a request. Nothing here looks at another slot than the one it is given.
#pragma once

#include <algorithm>
#include <atomic>

#include "runtime/pass/search.h"
#include "runtime/plan/growth.h"
#include "runtime/platform/memory_annotations.h"
#include "runtime/slab/progress.h"

namespace memo::runtime {

// A request, and the state of its pass while a slot is searched for it.
struct Search {
  ThreadState& self;
  Lane& lane;
  Progress& progress;
  const Variant* variant;
  const Request& request;
  std::uint32_t at;  // slot expected next
  void* block = nullptr;
  std::uint32_t taken = kNone;       // place of the last cell that was found taken
  Reason why = Reason::kUnexpected;  // the first reason noted, if any was
  bool noted = false;

  void note(Reason reason) {
    if (!noted) why = reason;
    noted = true;
  }

  // Notes the reason. Returns false, so that callers refuse in one line.
  bool refuse(Reason reason) {
    note(reason);
    return false;
  }

  // Makes `slot` the one expected next.
  void move_to(std::uint32_t slot) {
    at = slot;
    progress.resume = kNone;
  }
};

inline bool asks_for(const Search& search, std::uint32_t slot) {
  return is_at(*search.variant, slot, search.request.site);
}

// The large slot that a slot without a cell stands for: one of no bytes where the plan leaves it to a list or the heap.
inline const LargeSlot& large_slot(const Variant& variant, std::uint32_t slot) {
  return variant.large[variant.large_of[slot]];
}

inline std::uint64_t capacity(const Variant& variant, std::uint32_t slot) {
  const std::uint32_t bytes = variant.hot[slot].bytes;
  return bytes != 0 ? bytes : large_slot(variant, slot).bytes;
}

// Returns why the heap serves a slot without a place of its own.
inline Reason why_placeless(const PlanSlot& slot) {
  return slot.zone == PlanZone::kKept ? Reason::kKept : Reason::kUnplanned;
}

inline bool has_no_place(const Variant& variant, std::uint32_t slot) {
  return capacity(variant, slot) == 0;
}

inline bool hand_out(Search& search, char* block, std::uint64_t bytes) {
  ++search.self.served;
  search.self.served_bytes += search.request.size;
  checker::hand_out(block, bytes);
  search.block = block;
  return true;
}

inline bool take_cell(Search& search, CellPlace cell) {
  char* block = search.self.base + std::uint64_t{cell.granule} * kGranule;
  if (search.request.size > cell.bytes) return search.refuse(Reason::kTooBig);
  if (!is_aligned(block, search.request.alignment)) return search.refuse(Reason::kAlignment);
  std::atomic<Owner>& owner = search.self.owners[cell.granule];
  if (owner.load(std::memory_order_acquire) != kNobody) {
    search.taken = cell.granule;
    return search.refuse(Reason::kOccupied);
  }
  owner.store(static_cast<Owner>(cell.bytes / kGranule), std::memory_order_relaxed);
  return hand_out(search, block, cell.bytes);
}

inline bool take_large(Search& search, std::uint32_t number) {
  const LargeSlot& slot = search.variant->large[number];
  if (search.request.size > slot.bytes) return search.refuse(Reason::kTooBig);
  char* block = search.self.base + std::uint64_t{slot.granule} * kGranule;
  if (!is_aligned(block, search.request.alignment)) return search.refuse(Reason::kAlignment);
  if (!search.lane.live.allow(slot)) return search.refuse(Reason::kOccupied);
  search.lane.live.take(number);
  search.self.owners[slot.granule].store(static_cast<Owner>(kLargeOwner + number), std::memory_order_relaxed);
  return hand_out(search, block, slot.bytes);
}

// Begins all lists of the variant with their first cells, which the passes before touched.
inline void begin_lists(Lane& lane, const Variant& variant) {
  std::fill_n(lane.next_of_name + variant.name_count, variant.list_count, 0);
}

// Returns true if the cells of the slot's list are for a request like this. A pool has as many cells as its buffers need. One of
// them lent to another tensor of the call site that is kept, as the answer at the end of a loop, would be missing in all later iterations.
inline bool is_for_list(const Search& search, std::uint32_t slot) {
  return search.variant->slots[slot].zone == PlanZone::kList ||
         is_on_line(*search.variant, slot, search.request.size);
}

// Notes that the cells of the slot's list are too small. What grows in a loop says how far the pass is beyond the plan.
inline void note_outgrown_list(Search& search, std::uint32_t slot) {
  const PlanSlot& planned = search.variant->slots[slot];
  if (planned.zone == PlanZone::kPool)
    return search.progress.wishes.add(*search.variant, slot, search.request.size);
  raise(search.variant->seen[slot], search.request.size);
}

// Returns how many cells of the list are looked at. Blocks that outlived their pass may hold some, the first ones above all. Those of
// a pool are freed in any order: few are free, and each is worth more than the search.
inline std::uint32_t most_tries_in(const PlanList& list, const PlanSlot& slot) {
  constexpr std::uint32_t kTries = 16;
  constexpr std::uint32_t kTriesInPool = 64;
  return std::min(slot.zone == PlanZone::kPool ? kTriesInPool : kTries, list.cells);
}

// Takes the next free cell of the slot's list. Returns false if it has none, or none that is free and large enough. `next` counts
// the cells that the pass looked at: all of them in a first round, and then it goes round and round. A list is used up only behind its
// first round: before, blocks of earlier passes hold the cells, and more cells would not help.
inline bool take_from_list(Search& search, std::uint32_t slot) {
  const Variant& variant = *search.variant;
  const std::uint32_t number = variant.list_of[slot];
  const PlanList list = variant.lists[number];
  if (list.cells == 0 || !is_for_list(search, slot)) return false;
  const CellPlace* cells = search.lane.plan.load(std::memory_order_relaxed)->cells.data() + list.first;
  if (search.request.size > cells->bytes) return note_outgrown_list(search, slot), false;
  std::uint32_t& next = search.lane.next_of_name[variant.name_count + number];
  for (std::uint32_t tries = most_tries_in(list, variant.slots[slot]); tries != 0; --tries) {
    const CellPlace& cell = cells[next < list.cells ? next : next - list.cells];
    next = next + 1 == 2 * list.cells ? list.cells : next + 1;
    if (take_cell(search, cell)) return true;
  }
  if (next >= list.cells && variant.slots[slot].zone == PlanZone::kList)
    search.progress.wishes.add_past_list();
  return false;
}

// Answers a request for a slot without a place of its own: from its list, or not at all. The plan foresaw that the heap
// serves it then, so that this is no miss.
inline void leave_to_list_or_heap(Search& search, std::uint32_t slot) {
  if (take_from_list(search, slot)) return;
  count_fallback(search.progress, why_placeless(search.variant->slots[slot]), search.request.size);
}

// Returns true if the slot's cell was found taken a moment ago: many slots of a call site tend to share one.
inline bool is_known_taken(const Search& search, std::uint32_t slot) {
  const HotSlot& hot = search.variant->hot[slot];
  return hot.granule == search.taken && hot.bytes != 0;
}

// Takes the slot. Returns false, with the reason noted, if it cannot be used.
inline bool take(Search& search, std::uint32_t slot) {
  const HotSlot& hot = search.variant->hot[slot];
  if (hot.bytes != 0) return take_cell(search, {hot.granule, hot.bytes});
  if (has_no_place(*search.variant, slot)) return search.refuse(why_placeless(search.variant->slots[slot]));
  return take_large(search, search.variant->large_of[slot]);
}

}  // namespace memo::runtime
