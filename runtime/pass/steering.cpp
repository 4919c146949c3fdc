#include "runtime/pass/steering.h"

#include <algorithm>

#include "runtime/pass/loop_cursor.h"

namespace memo::runtime {
namespace {

// Returns true if the variant goes on at the present position with a slot for the request's call site.
bool goes_on_in(const Search& search, const Variant& other) {
  return &other != search.variant && search.at < other.slot_count && search.progress.wanted.fits(other) &&
         other.hot[search.at].site.load(std::memory_order_relaxed) == search.request.site;
}

// Returns true if a slot is for this size, at some shape on its line or between shapes that were joined.
bool may_ask_for(const Variant& variant, std::uint32_t slot, std::size_t size) {
  return is_on_line(variant, slot, size) || was_seen_in(variant.slots[slot], size);
}

// Returns the variant whose slot at the present position is for this size, or else one whose slot is for a size on the
// same line. Where the present variant does not go on with this call site, a size between those that were seen will do:
// there the pass parts from it. A block that is larger than planned is no reason to leave a variant with loops for one
// without: the rest of the pass would find nothing there. Nor is a place of the right size that is taken: the pass would go to and
// fro between variants.
const Variant* find_variant(const Search& search, const LoadedPlan& plan, bool expected) {
  const std::size_t size = search.request.size;
  if (expected && search.variant->slots[search.at].size == size) return nullptr;
  const bool only_loops = expected && !search.variant->loops.empty();
  const bool only_this_size = expected && may_ask_for(*search.variant, search.at, size);
  const Variant* may_be = nullptr;
  for (const Variant& other : plan.variants) {
    if (!goes_on_in(search, other) || (only_loops && other.loops.empty())) continue;
    if (other.slots[search.at].size == size) return &other;
    const bool fits = expected ? !only_this_size && is_on_line(other, search.at, size)
                               : may_ask_for(other, search.at, size);
    if (may_be == nullptr && fits) may_be = &other;
  }
  return may_be;
}

// Returns the first scope that begins behind this slot, and at most `limit`.
std::uint32_t first_scope_behind(const Variant& variant, std::uint32_t at, std::uint32_t limit) {
  const auto begins_before = [at](const PlanScope& scope) { return scope.first_slot <= at; };
  const PlanScope* found = std::partition_point(variant.scopes, variant.scopes + limit, begins_before);
  return static_cast<std::uint32_t>(found - variant.scopes);
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

// Leads the names of operators to their instances from the present slot on. Returns the first scope from there. Costs a step for
// each scope on the shorter side: a pass whose end depends on its data changes its variant there hundreds of times.
std::uint32_t lead_names(Lane& lane, const Variant& variant, std::uint32_t at) {
  const std::uint32_t limit = std::min(lane.progress.next_scope, variant.scope_count);
  const std::uint32_t scope = first_scope_behind(variant, at, limit);
  scope <= variant.scope_count / 2 ? lead_past(lane, variant, scope) : lead_back_to(lane, variant, scope);
  return scope;
}

// Goes on in `other` at the same slot. The variants of one network have the same scopes at the start; where
// they do not, the begin of the next scope moves the cursor to the right place.
void go_on_in(Search& search, const Variant& other) {
  Progress& progress = search.progress;
  search.variant = &other;
  progress.wishes.forget();
  search.lane.variant.store(&other, std::memory_order_relaxed);
  begin_lists(search.lane, other);
  progress.next_scope = lead_names(search.lane, other, search.at);
  const std::uint32_t open = std::min(progress.open_scopes, kMaxOpenScopes);
  for (std::uint32_t level = 0; level < open; ++level) {
    if (progress.open[level] >= progress.next_scope) progress.open[level] = kNone;
  }
  progress.resume = kNone;
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
  search.progress.next_scope = search.variant->scope_count;
  search.progress.next_scope = lead_names(search.lane, *search.variant, search.at);
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
  const Variant* other = find_variant(search, plan, expected);
  if (other == nullptr || !can_go_on_in(search, *other)) return false;
  go_on_in(search, *other);
  return true;
}

void note_growth(Search& search) {
  if (search.request.size <= capacity(*search.variant, search.at)) return;
  search.progress.wishes.add(*search.variant, search.at, search.request.size);
}

}  // namespace memo::runtime
