#include "runtime/pass/steering.h"

#include <algorithm>
#include <utility>

#include "runtime/pass/loop_cursor.h"
#include "runtime/plan/counterpart.h"

namespace memo::runtime {
namespace {

constexpr std::uint32_t kMostLeftOut = 8;  // slots that a pass may leave out where it parts from its variant

// A variant, and where the pass would go on in it.
struct Way {
  const Variant* variant = nullptr;
  Position position{.slot = kNone, .next_scope = 0};
};

// Returns the first scope that begins behind this slot, and at most `limit`.
std::uint32_t first_scope_behind(const Variant& variant, std::uint32_t at, std::uint32_t limit) {
  const auto begins_before = [at](const PlanScope& scope) { return scope.first_slot <= at; };
  const PlanScope* found = std::partition_point(variant.scopes, variant.scopes + limit, begins_before);
  return static_cast<std::uint32_t>(found - variant.scopes);
}

// Asks the slots alone where a pass ignores its operators.
Position position_of(const Search& search) {
  const std::uint32_t scopes = search.variant->scope_count;
  const std::uint32_t limit =
      search.self.ignores_operators ? scopes : std::min(search.progress.next_scope, scopes);
  return {.slot = search.at, .next_scope = first_scope_behind(*search.variant, search.at, limit)};
}

// Returns the slot of this very size and call site behind a few that the pass left out, before another operator begins; kNone if there
// is none, or no operator that tells where the pass is.
std::uint32_t behind_those_left_out(const Search& search, const Variant& other, const Position& from) {
  if (from.next_scope == 0) return kNone;
  const bool is_last = from.next_scope >= other.scope_count;
  const std::uint32_t end = is_last ? other.slot_count : other.scopes[from.next_scope].first_slot;
  for (std::uint32_t slot = from.slot; slot < end && slot <= from.slot + kMostLeftOut; ++slot)
    if (other.slots[slot].size == search.request.size && is_at(other, slot, search.request.site)) return slot;
  return kNone;
}

// Returns where the variant goes on with a slot for the request's call site; no variant if it does not. Where the present slot is for
// this call site, too, no slot was left out.
Way way_in(const Search& search, const Position& position, const Variant& other, bool expected) {
  if (&other == search.variant || !search.progress.wanted.fits(other)) return {};
  Position its = counterpart_in(other, *search.variant, position);
  if (its.slot == kNone) return {};
  if (is_at(other, its.slot, search.request.site)) return {&other, its};
  its.slot = expected ? kNone : behind_those_left_out(search, other, its);
  return its.slot == kNone ? Way{} : Way{&other, its};
}

// Returns true if a slot is for this size, at some shape on its line or between shapes that were joined.
bool may_ask_for(const Variant& variant, std::uint32_t slot, std::size_t size) {
  return is_on_line(variant, slot, size) || was_seen_in(variant.slots[slot], size);
}

// Returns the way to a variant whose slot at the counterpart of the present position is for this size, or else to one whose slot is
// for a size on the same line. Where the present variant does not go on with this call site, a size between those that were seen will
// do: there the pass parts from it. A block that is larger than planned is no reason to leave a variant with loops for one
// without: the rest of the pass would find nothing there. Nor is a place of the right size that is taken: the pass would go to and
// fro between variants.
Way find_way(const Search& search, const LoadedPlan& plan, bool expected) {
  const std::size_t size = search.request.size;
  if (expected && search.variant->slots[search.at].size == size) return {};
  const Position position = position_of(search);
  const bool only_loops = expected && !search.variant->loops.empty();
  const bool only_this_size = expected && may_ask_for(*search.variant, search.at, size);
  Way may_be;
  for (const Variant& other : plan.variants) {
    if (only_loops && other.loops.empty()) continue;
    const Way way = way_in(search, position, other, expected);
    if (way.variant == nullptr) continue;
    const std::uint32_t slot = way.position.slot;
    if (other.slots[slot].size == size) return way;
    const bool fits =
        expected ? !only_this_size && is_on_line(other, slot, size) : may_ask_for(other, slot, size);
    if (may_be.variant == nullptr && fits) may_be = way;
  }
  return may_be;
}

void lead_past(Lane& lane, const Variant& variant, std::uint32_t end) {
  for (std::uint32_t name = 0; name < variant.name_count; ++name)
    lane.next_of_name[name] = variant.names[name].first;
  for (std::uint32_t scope = 0; scope < end; ++scope)
    lane.next_of_name[variant.links[scope].name] = variant.links[scope].next_same_name;
}

void lead_back_to(Lane& lane, const Variant& variant, std::uint32_t first) {
  std::fill_n(lane.next_of_name, variant.name_count, kNone);
  for (std::uint32_t scope = variant.scope_count; scope-- > first;)
    lane.next_of_name[variant.links[scope].name] = scope;
}

// Leads the names of operators to their instances from this scope on. Costs a step for each scope on the shorter side: a pass
// whose end depends on its data changes its variant there hundreds of times.
void lead_names(Lane& lane, const Variant& variant, std::uint32_t scope) {
  scope <= variant.scope_count / 2 ? lead_past(lane, variant, scope) : lead_back_to(lane, variant, scope);
  lane.progress.next_scope = scope;
}

// Goes on in another variant. Operators that it lacks are open in none.
void go_on(Search& search, const Way& way) {
  Progress& progress = search.progress;
  const Variant& before = *std::exchange(search.variant, way.variant);
  progress.held_before = std::max(progress.held_before, std::min(before.height, search.self.served_bytes));
  progress.wishes.forget();
  search.lane.variant.store(way.variant, std::memory_order_relaxed);
  begin_lists(search.lane, *way.variant);
  lead_names(search.lane, *way.variant, way.position.next_scope);
  const std::uint32_t open = std::min(progress.open_scopes, kMaxOpenScopes);
  for (std::uint32_t level = 0; level < open; ++level)
    progress.open[level] = same_scope_in(*way.variant, before, progress.open[level]);
  search.move_to(way.position.slot);
}

// Returns true if the pass can go on in the variant. Looks at the live bits last, since they are many.
bool can_go_on_in(const Search& search, const Variant& other) {
  if (share_places(*search.variant, other)) return true;
  if (!large_empty(search.lane)) return false;
  search.lane.live.note_held_over();
  return true;
}

}  // namespace

void hear_operators(Search& search) {
  search.self.ignores_operators = search.progress.let_go = false;
  const Variant& variant = *search.variant;
  lead_names(search.lane, variant, first_scope_behind(variant, search.at, variant.scope_count));
}

bool iterate(Search& search) {
  if (search.variant->loops.empty()) return false;
  const std::uint32_t slot = iterate_to_slot(search.lane, *search.variant, search.at, search.request.site);
  if (slot == kNone) return false;
  search.move_to(slot);
  note_iteration(search.self, search.lane);
  return true;
}

bool change_variant(Search& search, bool expected) {
  const LoadedPlan& plan = *search.lane.plan.load(std::memory_order_relaxed);
  if (plan.variants.size() < 2) return false;
  const Way way = find_way(search, plan, expected);
  if (way.variant == nullptr || !can_go_on_in(search, *way.variant)) return false;
  go_on(search, way);
  return true;
}

void note_growth(Search& search) {
  if (search.request.size <= capacity(*search.variant, search.at)) return;
  search.progress.wishes.add(*search.variant, search.at, search.request.size);
}

}  // namespace memo::runtime
