#include "runtime/pass/search.h"

#include "runtime/pass/back_off.h"
#include "runtime/pass/candidates.h"
#include "runtime/pass/left_out.h"
#include "runtime/pass/steering.h"
#include "runtime/pass/taking.h"
#include "runtime/plan/call_sites.h"
#include "runtime/platform/ticks.h"

namespace memo::runtime {
namespace {

// Takes the slot, or leaves the request to its list or the heap as the plan does, and expects the one behind it next.
// Returns false if the slot cannot be used.
bool answers(Search& search, std::uint32_t slot) {
  if (has_no_place(*search.variant, slot)) {
    leave_to_list_or_heap(search, slot);
  } else if (!take(search, slot)) {
    return false;
  }
  search.move_to(slot + 1);
  return true;
}

// Workers repeat the same piece of work. Returns true if the worker begins it again with this request.
bool begins_anew(Search& search) {
  if (search.at != search.variant->slot_count || !is_for_workers(*search.variant)) return false;
  search.move_to(0);
  return asks_for(search, 0) && answers(search, 0);
}

// Returns true if the place of the expected slot is a cell that is taken, or one that a block of an earlier pass holds. The place
// of another slot of the call site is no remedy. The request would be in that one's way, whose request would then look for
// another, to the end of the pass; and where it is a large place, a small block would keep a large one out.
bool is_kept_from_its_place(const Search& search) {
  if (search.why != Reason::kOccupied) return false;
  const Variant& variant = *search.variant;
  return variant.hot[search.at].bytes != 0 || search.lane.live.is_held_over(large_slot(variant, search.at));
}

// Leaves the expected slot, whose place is taken. Returns true if there is an idle cell in the place of a cell.
bool find_in_place_of_expected(Search& search) {
  const bool is_cell = search.variant->hot[search.at].bytes != 0;
  search.move_to(search.at + 1);
  return is_cell && take_spare_cell(search);
}

// Finds a slot for a call site of the plan that is not, or not only, the expected one's.
bool find_elsewhere(Search& search, std::uint32_t site, bool expected) {
  if (!expected && iterate(search)) {
    expected = true;
    if (answers(search, search.at)) return true;
  }
  if (change_variant(search, expected)) {
    expected = true;
    if (answers(search, search.at)) return true;
  }
  if (expected) {
    if (is_kept_from_its_place(search)) return find_in_place_of_expected(search);
    note_growth(search);
    search.move_to(search.at + 1);
  }
  return try_candidates(search, site, expected);
}

// Notes that the pass does something else than the plan foresees.
void depart(Search& search) {
  search.progress.departed = true;
  search.lane.iterations_as_planned.note_departure(search.progress.let_go);
  if (!search.self.ignores_operators) return;
  search.progress.departed_unled |= !search.progress.let_go;
  hear_operators(search);
}

// Takes the first slot behind those that the heap serves. The pass moves on when the next request confirms that they were left out.
bool leave_out_those_on_heap(Search& search) {
  const std::uint32_t slot = first_not_on_heap(*search.variant, search.at);
  if (slot == search.at || !asks_for(search, slot) || has_no_place(*search.variant, slot)) return false;
  if (!take(search, slot)) return false;
  search.progress.resume = slot + 1;
  return true;
}

// Returns true if the request is for the slot at which the pass goes on behind some that it left out, and these are confirmed.
bool goes_on_behind_those_left_out(Search& search) {
  const std::uint32_t resume = search.progress.resume;
  if (!asks_for(search, resume)) return false;
  if (!leaves_out_only_those_on_heap(*search.variant, search.at, resume - 1)) depart(search);
  return answers(search, resume);
}

// Returns true if the expected slot answers, or the one at which an iteration begins or a loop ends, or leaves out what the heap
// would serve: that is no departure.
bool goes_as_planned(Search& search) {
  const bool expected = asks_for(search, search.at);
  if (expected && answers(search, search.at)) return true;
  if (search.progress.resume != kNone) return goes_on_behind_those_left_out(search);
  if (expected) return false;
  return iterate(search) ? answers(search, search.at) : leave_out_those_on_heap(search);
}

// Returns true if the request is the expected slot's, which cannot be used: a block lies in its place, or the request is larger
// than any that was seen of a slot whose sizes vary. The pass has not lost its way. Where a slot always had one size, another one
// may be another block of a call site that all share.
bool is_where_expected(const Search& search) {
  if (!asks_for(search, search.at)) return false;
  const PlanSlot& slot = search.variant->slots[search.at];
  if (search.why == Reason::kTooBig)
    return slot.spread != 0 || formula_at(search.variant->formulas, search.at) != nullptr;
  return search.why == Reason::kOccupied && was_seen_in(slot, search.request.size);
}

// Returns true if there is a block, or if the plan leaves the request to the heap. A call site that the plan does not
// know is no slot's, so that nothing else needs to be looked at, and the pass is where it was.
bool find(Search& search) {
  if (begins_anew(search) || goes_as_planned(search)) return true;
  const LoadedPlan& plan = *search.lane.plan.load(std::memory_order_relaxed);
  const std::uint32_t site = find_site(plan.sites, search.request.site);
  if (site == kNone) return search.refuse(Reason::kUnknownSite);
  if (!is_where_expected(search)) depart(search);
  return find_elsewhere(search, site, asks_for(search, search.at));
}

void count_miss(Search& search) {
  Progress& progress = search.progress;
  count_fallback(progress, search.why, search.request.size);
  count_for_patience(progress, search.self.served);
}

// Returns the slot at which the pass goes on; kNoPass while it backs off.
const HotSlot* cursor_after(const Search& search) {
  return backs_off_now(search.progress, search.at) ? &kNoPass : search.variant->hot + search.at;
}

void* leave_to_heap(const ThreadState& self, std::size_t size) {
  count_fallback(self.lane->progress, Reason::kGaveUp, size);
  return nullptr;
}

// Serves no signal handler that interrupted the arena, and leaves the heap alone: the handler may have interrupted that, too.
void* refuse_reentry(const ThreadState& self, std::size_t size) {
  count_fallback(self.lane->progress, Reason::kReentered, size);
  return nullptr;
}

}  // namespace

void* search(ThreadState& self, const Request& request) {
  if (self.cursor == &kReentered) return refuse_reentry(self, request.size);
  if (is_backing_off(self) && !has_backed_off(self)) return leave_to_heap(self, request.size);
  count_served(self);
  const HotSlot* cursor = self.cursor;
  self.cursor = &kReentered;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Lane& lane = *self.lane;
  const Variant* variant = lane.variant.load(std::memory_order_relaxed);
  Search search{.self = self,
                .lane = lane,
                .progress = lane.progress,
                .variant = variant,
                .request = request,
                .at = static_cast<std::uint32_t>(cursor - variant->hot)};
  ++search.progress.searched;
  if (!find(search)) count_miss(search);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  place_cursor(self, cursor_after(search));
  return search.block;
}

void start_variant(ThreadState& self, const Variant& variant) {
  Lane& lane = *self.lane;
  lane.variant.store(&variant, std::memory_order_relaxed);
  lane.live.note_held_over();
  for (std::uint32_t name = 0; name < variant.name_count; ++name)
    lane.next_of_name[name] = variant.names[name].first;
  begin_lists(lane, variant);
  Progress& progress = lane.progress;
  progress.wishes.forget();
  progress.served_at_miss = 0;
  progress.misses_in_row = 0;
  progress.backoff = 0;
  progress.resume = kNone;
  progress.next_scope = 0;
  progress.open_scopes = 0;
  self.owners = g_region.owners + lane.first_granule;
  self.base = g_region.at(lane.first_granule);
  place_cursor(self, variant.hot);
}

}  // namespace memo::runtime
