// A plan made ready to serve: the part of its slots that the fast path reads, packed; which large slots share
// bytes; and the addresses of the call sites in this process.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "runtime/plan/formulas.h"
#include "runtime/plan/growth.h"
#include "runtime/plan/plan_file.h"
#include "runtime/plan/site_index.h"

namespace memo::runtime {

// The part of a slot that the fast path reads. `bytes` is 0 for a large slot, so that the comparison of sizes
// also sends large slots off the fast path.
struct HotSlot {
  std::atomic<std::uint64_t> site;  // absolute return address
  std::uint32_t granule;            // place, from the start of the lane
  std::uint32_t bytes;              // size of the cell; 0 for a large slot
};
static_assert(sizeof(HotSlot) == 16);

// The place of a cell in the lane. Cells keep the order of the file, which the planner sorts by size.
struct CellPlace {
  std::uint32_t granule;
  std::uint32_t bytes;
};

// The place of large slots, and its conflict mask: one bit for each place of its table that shares a byte with it. Slots that
// begin at one granule and take as many bytes have one place. Variants that a pass may change between share a table, so that the
// live bits mean the same in all of them.
struct LargeSlot {
  std::uint64_t bytes;
  std::uint32_t granule;
  std::uint16_t first_word, words;
  const std::uint64_t* mask;  // `words` words; the first belongs to word `first_word` of the live bits
};

// None where `least` is above `most`.
struct SizeRange {
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;

  [[nodiscard]] bool has(std::uint64_t size) const { return least <= size && size <= most; }
};

// The sizes of a call site's blocks that the program keeps beyond its passes, and of those in large places. They spare misses a look at
// all its slots, of which it may have every one of the plan.
struct SizesOfSite {
  SizeRange kept, large;
};

struct ScopeLinks {
  std::uint32_t name;              // number of its name within the variant
  std::uint32_t next_same_name;    // kNone after the last
  std::uint32_t before_same_name;  // how many scopes of its name come before it
  std::uint32_t is_behind_loop;    // 1: where a loop has just ended, or goes round again
};

struct ScopeName {
  std::uint64_t hash;
  std::uint32_t first;          // first scope of this name
  std::uint32_t first_by_name;  // its place in `by_name`
};

// A variant that is ready to serve. Its arrays are indexed by slot, scope or name, relative to the variant.
struct Variant {
  std::uint64_t pass_key;
  std::uint64_t height;
  std::uint64_t least;  // no layout of its blocks is lower
  Formulas formulas;    // what its sizes follow, and which numbers its passes had
  Seen* seen;           // slot -> the largest request that did not fit
  std::atomic<std::uint64_t>
      refused;  // the least t that could not be had; neither it nor a greater one is tried again
  GrowthState state;
  std::uint32_t slot_count, scope_count, name_count, list_count;
  std::uint32_t large_count;  // places of its large slots, as count_places() counts them
  std::uint32_t place_count;  // places in `large`, those of other variants among them
  HotSlot* hot;               // slot_count of them, and a last one that matches no site
  const PlanSlot* slots;
  const PlanScope* scopes;
  const ScopeLinks* links;
  const ScopeName* names;            // sorted by hash
  const std::uint32_t* by_name;      // scopes sorted by name, then order
  const LargeSlot* large;            // and one more, of no bytes, for all slots without a large place
  const std::uint16_t* large_of;     // slot -> place, or the entry after them
  const PlanList* lists;             // one entry more, of no cells, for all slots without a list
  const std::uint16_t* list_of;      // slot -> list
  const std::uint32_t* by_site;      // slots sorted by site, then order
  const std::uint32_t* site_begins;  // site -> its first entry in by_site; one entry more for the end
  const SizesOfSite* sizes_of_site;
  std::span<const PlanLoop> loops;   // loops in the order of their slots, each before those in it
  const std::uint32_t* loop_around;  // loop -> the innermost loop that it lies in, or kNone
  bool sites_tell_iterations;  // where a pass begins an iteration or leaves a loop, its call site says so
};

// Returns true if the live bits mean the same places in both variants.
inline bool share_places(const Variant& a, const Variant& b) {
  return a.large == b.large;
}

// Returns true if the slot has this size, or has it at some shape on its line, smaller or larger.
[[nodiscard]] inline bool is_on_line(const Variant& variant, std::uint32_t slot, std::uint64_t size) {
  if (size == variant.slots[slot].size) return true;
  const PlanFormula* line = formula_at(variant.formulas, slot);
  if (line == nullptr || !is_line(*line)) return false;
  return (size > line->base ? size - line->base : line->base - size) % line->factor == 0;
}

// Returns true if the slot is for this call site.
[[nodiscard]] inline bool is_at(const Variant& variant, std::uint32_t slot, std::uint64_t site) {
  return variant.hot[slot].site.load(std::memory_order_relaxed) == site;
}

inline bool is_for_workers(const Variant& variant) {
  return variant.pass_key == kWorkerPassKey;
}

struct LoadedPlan {
  PlanFile file;
  void* memory;  // holds this struct and everything below
  std::uint64_t memory_bytes;
  std::uint64_t lane_bytes;     // height of the highest variant
  std::uint64_t worker_bytes;   // height of the highest variant for workers; 0: there is none
  std::uint64_t large_start;    // end of the cells
  std::uint32_t* next_of_name;  // for each lane, room for the names and lists of any variant
  std::uint32_t names_per_lane;
  std::atomic<std::uint32_t> missing_modules;
  std::atomic<bool> said_stale;
  // Under the lock of the plans:
  std::uint32_t lanes;         // lanes that serve it or still hold its blocks
  std::uint32_t worker_lanes;  // of these, the worker lanes
  std::uint32_t most_lanes;
  std::uint32_t
      lanes_asked;  // lanes that have all their pages before the first pass; 0: as many as run at once
  std::uint32_t lanes_inherited;  // lanes that it takes over, with their pages, from the smaller plan
  std::uint64_t number;           // counts the files read: a greater number was read later
  std::uint32_t holders;          // threads that use it without the lock, and keep it from being discarded
  bool sites_looked_up;           // a thread is looking them up now
  bool look_up_again;  // the thread that looks them up shall look again: something was loaded meanwhile
  std::span<const CellPlace> cells;
  std::span<const CellPlace> spare_cells;  // of these, the cells before the lists: any slot may take them
  std::span<Variant> variants;
  SiteIndex sites;
};

// Takes over the file, to serve from up to `lanes` lanes. `before` is the same plan as it has been until now,
// if it is to become as large as its passes wanted. Returns nullptr, and closes the file, if there is no memory
// or if the plan would be larger than a plan can be.
LoadedPlan* make_ready(const PlanFile& file, std::uint32_t lanes, const LoadedPlan* before = nullptr);
void discard(LoadedPlan* plan);

// Makes the slots in a copy of the plan's file as large as passes asked for, in each variant that they outgrew. No
// place of such a variant counts in the copy: make_ready() lays it out anew.
void enlarge_slots(LoadedPlan& plan, const PlanFile& copy);

// Makes the slots in such a copy as large as their formulas foresee for the largest of both numbers, in each variant that
// enlarge_slots() has made larger. Returns false if they are as large already.
[[nodiscard]] bool foresee_slots(const LoadedPlan& plan, const PlanFile& copy);

// Looks up where the plan's modules are loaded now, and writes the addresses of all sites.
void resolve_sites(LoadedPlan& plan);

// Takes the addresses of all sites over from a plan of the same file.
void copy_sites(LoadedPlan& plan, const LoadedPlan& from);

// Returns the number of the name that has this hash, or kNone.
[[nodiscard]] inline std::uint32_t find_name(const Variant& variant, std::uint64_t hash) {
  std::uint32_t first = 0;
  std::uint32_t count = variant.name_count;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (variant.names[first + half].hash < hash) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first < variant.name_count && variant.names[first].hash == hash ? first : kNone;
}

}  // namespace memo::runtime
