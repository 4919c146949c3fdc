#include "runtime/pass/candidates.h"

#include <algorithm>
#include <span>

#include "runtime/pass/gaps.h"
#include "runtime/pass/loop_cursor.h"

namespace memo::runtime {
namespace {

constexpr std::ptrdiff_t kTries = 8;                // candidates looked at in each direction
constexpr std::ptrdiff_t kTriesWithoutScopes = 48;  // the same, for variants without operators
constexpr std::ptrdiff_t kTriesForSize = 512;  // slots of a call site looked at for one of the request's size
constexpr std::uint32_t kSpareTries = 64;      // cells looked at when all slots of the site are taken
constexpr std::uint32_t kSpareWaste = 4;       // cells of more than this many times the size are taken last

// Slots of one call site, in the order of the plan.
using Slots = std::span<const std::uint32_t>;

std::ptrdiff_t most_tries(const Search& search) {
  return search.variant->scope_count == 0 ? kTriesWithoutScopes : kTries;
}

const std::uint32_t* first_not_before(Slots slots, std::uint32_t slot) {
  return std::lower_bound(slots.data(), slots.data() + slots.size(), slot);
}

Slots first_of(Slots slots, std::ptrdiff_t most) {
  return slots.first(std::min(slots.size(), static_cast<std::size_t>(most)));
}

std::uint32_t end_of_scope(const Search& search) {
  const Progress& progress = search.progress;
  if (progress.open_scopes == 0 || progress.open_scopes > kMaxOpenScopes) return search.variant->slot_count;
  const std::uint32_t scope = progress.open[progress.open_scopes - 1];
  return scope == kNone ? search.at : search.variant->scopes[scope].end_slot;
}

// Tries slots of the present scope. A slot without a place tells where the pass is as any other slot does.
bool try_in_scope(Search& search, Slots slots, bool expected) {
  for (const std::uint32_t slot : first_of(slots, most_tries(search))) {
    if (is_known_taken(search, slot)) continue;
    const bool left = !expected && has_no_place(*search.variant, slot);
    if (left) leave_to_list_or_heap(search, slot);
    if (!left && !take(search, slot)) continue;
    if (!expected) search.progress.resume = slot + 1;
    return true;
  }
  return false;
}

// Returns those of the slots that are not before `begin`, and before `end`.
Slots between(Slots slots, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t* first = first_not_before(slots, begin);
  return {first, first_not_before({first, slots.data() + slots.size()}, end)};
}

// Tries the slots from the present one to the end of the scope, which are `ahead`. Searches the scope as a circle where the
// pass is in a loop: the rest of the loop, then the loop from its first slot on, then likewise those around it, then what
// follows.
bool try_ahead(Search& search, Slots slots, Slots ahead, std::uint32_t scope_end, bool expected) {
  const Variant& variant = *search.variant;
  std::uint32_t begin = search.at;
  for (std::uint32_t number = loop_around_slot(variant, search.at); number != kNone;
       number = variant.loop_around[number]) {
    const PlanLoop& loop = variant.loops[number];
    if (scope_end < loop.end_slot) break;
    const std::uint32_t* end = first_not_before(ahead, loop.end_slot);
    if (try_in_scope(search, {ahead.data(), end}, expected) ||
        try_in_scope(search, between(slots, loop.first_slot, begin), expected))
      return true;
    begin = loop.first_slot;
    ahead = {end, ahead.data() + ahead.size()};
  }
  return try_in_scope(search, ahead, expected);
}

// Takes a slot that is meant for another allocation of the site, but no large one of which more than half
// would be wasted.
bool borrow(Search& search, std::uint32_t slot) {
  if (is_known_taken(search, slot)) return false;
  const Variant& variant = *search.variant;
  const bool wasteful =
      variant.hot[slot].bytes == 0 && search.request.size < large_slot(variant, slot).bytes / 2;
  return !wasteful && take(search, slot);
}

bool borrow_one_before(Search& search, Slots before) {
  const auto tries = static_cast<std::size_t>(most_tries(search));
  for (std::size_t back = 1; back <= std::min(before.size(), tries); ++back) {
    if (borrow(search, before[before.size() - back])) return true;
  }
  return false;
}

bool borrow_one_of(Search& search, Slots slots) {
  return std::any_of(slots.begin(), slots.end(), [&](std::uint32_t slot) { return borrow(search, slot); });
}

// Returns true if the program keeps blocks of this size of the call site beyond its passes. Asks the site first, since few keep
// any, and one has up to all slots of the plan.
bool may_be_kept(const Search& search, std::uint32_t site, Slots slots) {
  const Variant& variant = *search.variant;
  if (!variant.sizes_of_site[site].kept.has(search.request.size)) return false;
  return std::any_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
    const PlanSlot& planned = variant.slots[slot];
    return planned.zone == PlanZone::kKept && was_seen_in(planned, search.request.size);
  });
}

Slots slots_of(const Variant& variant, std::uint32_t site) {
  const std::uint32_t* begins = variant.site_begins + site;
  return {variant.by_site + begins[0], variant.by_site + begins[1]};
}

// Returns true if one of the first `most` slots of the site in the variant is a large one for the request's size.
bool has_large_slot_of_size(const Search& search, const Variant& variant, std::uint32_t site,
                            std::ptrdiff_t most) {
  if (!variant.sizes_of_site[site].large.has(search.request.size)) return false;
  const Slots slots = first_of(slots_of(variant, site), most);
  return std::any_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
    const bool is_large = variant.large_of[slot] < variant.place_count;
    return is_large && was_seen_in(variant.slots[slot], search.request.size);
  });
}

// Returns true if the request is so large a part of the pass that it is worth a look at other variants.
bool is_large_part(const Search& search) {
  constexpr std::uint64_t kShare = 64;
  return search.request.size >= search.lane.bytes / kShare;
}

// Returns true if another variant that shares the places has such a slot. A pass in which a JIT compiles departs from a variant before
// it comes to its own, and asks for the first large blocks meanwhile.
bool others_have_large_slot_of_size(const Search& search, std::uint32_t site) {
  if (!is_large_part(search)) return false;
  std::ptrdiff_t left = kTriesForSize;
  for (const Variant& other : search.lane.plan.load(std::memory_order_relaxed)->variants) {
    if (&other == search.variant || !share_places(other, *search.variant)) continue;
    if (has_large_slot_of_size(search, other, site, left)) return true;
    left -= static_cast<std::ptrdiff_t>(first_of(slots_of(other, site), left).size());
  }
  return false;
}

// Returns true if the lane has a large slot of this call site for this size. What comes from there is a block of the plan that
// comes out of order, as where operators changed places. Anything else may be kept for good, as what a JIT makes that compiles.
// Looks at a limited number of slots, since one call site may have all of a plan.
bool is_of_large_slot(const Search& search, std::uint32_t site) {
  return has_large_slot_of_size(search, *search.variant, site, kTriesForSize) ||
         others_have_large_slot_of_size(search, site);
}

const CellPlace* first_of_bytes(std::span<const CellPlace> cells, std::uint64_t bytes) {
  return std::partition_point(cells.data(), cells.data() + cells.size(),
                              [bytes](const CellPlace& smaller) { return smaller.bytes < bytes; });
}

bool take_next_of(Search& search, std::span<const CellPlace> cells) {
  const std::size_t tries = std::min<std::size_t>(cells.size(), kSpareTries);
  for (std::size_t number = 0; number < tries; ++number) {
    if (take_cell(search, cells[search.progress.next_spare++ % cells.size()])) return true;
  }
  return false;
}

// Takes the smallest cells that are large enough first. Each search goes on after the cell that the last one
// took: blocks that live long hold the cells before it, and a loop with more iterations than planned would
// look at those in each iteration.
bool take_one_of(Search& search, std::span<const CellPlace> cells) {
  const std::size_t size = search.request.size;
  const CellPlace* first = first_of_bytes(cells, size);
  // In a plan that grew the cells may not be sorted any more, so `end` could lie before `first`.
  const CellPlace* end = std::max(first, first_of_bytes(cells, kSpareWaste * (size + kGranule)));
  return take_next_of(search, {first, end}) || take_next_of(search, {end, cells.data() + cells.size()});
}

}  // namespace

bool take_spare_cell(Search& search) {
  return take_one_of(search, search.lane.plan.load(std::memory_order_relaxed)->spare_cells);
}

bool try_candidates(Search& search, std::uint32_t site, bool expected) {
  const Variant& variant = *search.variant;
  const Slots slots = slots_of(variant, site);
  const std::uint32_t* first = slots.data();
  const std::uint32_t* last = first + slots.size();
  const std::uint32_t scope_end = end_of_scope(search);
  const std::uint32_t* here = first_not_before({first, last}, search.at);
  const std::uint32_t* later =
      scope_end == variant.slot_count ? last : first_not_before({here, last}, scope_end);
  // Looks for a gap first where the expected place is taken: another slot of the operator may be a much larger one, which the
  // operator needs a moment later.
  const bool is_displaced =
      expected && search.why == Reason::kOccupied && !may_be_kept(search, site, {first, last});
  const bool looked_for_gap = is_displaced && is_of_large_slot(search, site);
  if (looked_for_gap && take_gap(search)) return true;
  if (try_ahead(search, {first, last}, {here, later}, scope_end, expected)) return true;
  if (!looked_for_gap) {
    // A block that the program may keep takes no place of another, nor a spare one: it would hold it for good, and keep out of
    // it what comes there in all later passes. These would lose their way, and lend more places to what is kept.
    if (may_be_kept(search, site, {first, last})) return search.refuse(Reason::kUnexpected);
    if (is_of_large_slot(search, site) && take_gap(search)) return true;
  }
  if (borrow_one_before(search, {first, here})) return true;
  if (borrow_one_of(search, first_of({later, last}, most_tries(search)))) return true;
  // Takes no spare cell either where the slots of this site have no place: the block would hold it beyond the pass.
  const bool left = search.noted && is_foreseen(search.why);
  if (!left && take_spare_cell(search)) return true;
  return search.refuse(Reason::kUnexpected);
}

}  // namespace memo::runtime
