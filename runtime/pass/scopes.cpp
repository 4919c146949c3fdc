// Scopes (operators): a begin moves the cursor to the plan's next scope of that name, an end moves it past the
// scope.
//
// Symbol hooks call these functions while the vector registers of an unknown caller are live. No function here,
// nor any that it calls, may use one: CMakeLists.txt compiles them without, and a test reads the built library.
#include "runtime/pass/arena.h"
#include "runtime/pass/left_out.h"
#include "runtime/pass/loop_cursor.h"
#include "runtime/pass/steering.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {
namespace {

// Leads a pass at once; one that backs off, to the slot at which it goes on.
[[gnu::noinline]] void jump(ThreadState& self, const HotSlot* slot) {
  Lane& lane = *self.lane;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  const auto to = static_cast<std::uint32_t>(slot - variant.hot);
  if (is_backing_off(self)) {
    lane.progress.departed = true;
    lane.progress.lost_at = to;
    return;
  }
  const auto from = static_cast<std::uint32_t>(self.cursor - variant.hot);
  if (self.cursor != &kReentered && follows_loop(variant, from, to)) {
    note_iteration(self, lane);
  } else if (self.cursor == &kReentered || !leaves_out_only_those_on_heap(variant, from, to)) {
    lane.progress.departed = true;
    lane.iterations_as_planned.note_departure(false);
  }
  count_served(self);
  place_cursor(self, slot);
}

// Moves the cursor, unless it is there already, as in a pass that matches: that pass goes on counting from
// where it began.
[[gnu::always_inline]] inline void move_cursor(ThreadState& self, const HotSlot* slot) {
  if (self.cursor != slot) jump(self, slot);
}

bool visited(const Lane& lane, const Variant& variant, std::uint32_t scope) {
  return lane.next_of_name[variant.links[scope].name] > scope;  // kNone is greater, too
}

// Returns true if the scope is the next one in the order of the plan, as every scope of a pass that matches is.
// Returns false behind a loop, where iterate_to_scope() decides whether it goes round again.
[[gnu::always_inline]] inline bool is_next(const Lane& lane, const Variant& variant, std::uint64_t hash) {
  const std::uint32_t next = lane.progress.next_scope;
  return next < variant.scope_count && variant.scopes[next].name_hash == hash &&
         lane.next_of_name[variant.links[next].name] == next && variant.links[next].is_behind_loop == 0;
}

// Returns the number of the name with this hash, without a search if the name is the expected one.
std::uint32_t name_number(const Variant& variant, std::uint32_t expected, std::uint64_t hash) {
  const bool as_expected = expected < variant.scope_count && variant.scopes[expected].name_hash == hash;
  return as_expected ? variant.links[expected].name : find_name(variant, hash);
}

// Returns the slot before which the pass stands; the first one where a signal handler cannot tell.
std::uint32_t position(const ThreadState& self, const Variant& variant) {
  if (is_backing_off(self)) return self.lane->progress.lost_at;
  return self.cursor == &kReentered ? 0 : static_cast<std::uint32_t>(self.cursor - variant.hot);
}

// Returns the next scope of the name with this hash, or kNone.
std::uint32_t find_scope(const ThreadState& self, Lane& lane, const Variant& variant, std::uint64_t hash) {
  const std::uint32_t name = name_number(variant, lane.progress.next_scope, hash);
  if (name == kNone) return kNone;
  const std::uint32_t scope = lane.next_of_name[name];
  if (variant.loops.empty()) return scope;
  return iterate_to_scope(lane, variant, position(self, variant), name, scope);
}

// Returns the slot at which the pass goes on after `slot`: past the scopes that follow in the plan but ran
// already, out of order.
std::uint32_t skip_visited(Lane& lane, const Variant& variant, std::uint32_t slot) {
  std::uint32_t& next = lane.progress.next_scope;
  for (; next < variant.scope_count && visited(lane, variant, next); ++next) {
    if (variant.scopes[next].first_slot == slot) slot = variant.scopes[next].end_slot;
  }
  return slot;
}

// Opens the scope as the innermost one and moves the cursor to its first slot.
[[gnu::always_inline]] inline void open_scope(ThreadState& self, Lane& lane, const Variant& variant,
                                              std::uint32_t level, std::uint32_t scope) {
  lane.progress.open[level] = scope;
  const ScopeLinks links = variant.links[scope];
  lane.next_of_name[links.name] = links.next_same_name;
  lane.progress.next_scope = scope + 1;
  lane.progress.resume = kNone;
  move_cursor(self, variant.hot + variant.scopes[scope].first_slot);
}

[[gnu::noinline]] void open_found_scope(ThreadState& self, std::uint32_t level, std::uint64_t hash) {
  Lane& lane = *self.lane;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  const std::uint32_t scope = find_scope(self, lane, variant, hash);
  lane.progress.open[level] = scope;
  if (scope != kNone) open_scope(self, lane, variant, level, scope);
}

[[gnu::noinline]] void end_and_begin(std::uint64_t hash) {
  scope_end();
  scope_begin(hash);
}

}  // namespace

void scope_begin(std::uint64_t name_hash) {
  ThreadState& self = t_self;
  if (self.lane == nullptr) return;
  Lane& lane = *self.lane;
  const std::uint32_t level = lane.progress.open_scopes++;
  if (level >= kMaxOpenScopes) return;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  if (!is_next(lane, variant, name_hash)) return open_found_scope(self, level, name_hash);
  open_scope(self, lane, variant, level, lane.progress.next_scope);
}

void scope_end() {
  ThreadState& self = t_self;
  if (self.lane == nullptr) return;
  Lane& lane = *self.lane;
  Progress& progress = lane.progress;
  if (progress.open_scopes == 0 || --progress.open_scopes >= kMaxOpenScopes || is_backing_off(self)) return;
  const std::uint32_t scope = progress.open[progress.open_scopes];
  if (scope == kNone) return;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  const auto at = static_cast<std::uint32_t>(self.cursor - variant.hot);
  const PlanScope& range = variant.scopes[scope];
  if (at < range.first_slot || at > range.end_slot) return;
  move_cursor(self, variant.hot + skip_visited(lane, variant, range.end_slot));
  progress.resume = kNone;
}

// Skips the end of the last scope where the plan's next scope begins, since that begin moves the cursor anyway.
// Costs some 50 instructions then.
void scope_follows(std::uint64_t name_hash) {
  ThreadState& self = t_self;
  if (self.lane == nullptr) return;
  Lane& lane = *self.lane;
  const std::uint32_t level = lane.progress.open_scopes - 1;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  if (level >= kMaxOpenScopes || !is_next(lane, variant, name_hash)) return end_and_begin(name_hash);
  open_scope(self, lane, variant, level, lane.progress.next_scope);
}

}  // namespace memo::runtime
