#include "runtime/pass/loop_cursor.h"

#include <algorithm>

namespace memo::runtime {
namespace {

// Moves the pass to `scope`: every name of the loop then means its first instance from `scope` on.
void go_on_from(Lane& lane, const Variant& variant, const PlanLoop& loop, std::uint32_t scope) {
  for (std::uint32_t at = loop.first_scope; at < scope; ++at)
    lane.next_of_name[variant.links[at].name] = variant.links[at].next_same_name;
  for (std::uint32_t at = loop.end_scope; at-- > scope;) lane.next_of_name[variant.links[at].name] = at;
  lane.progress.next_scope = scope;
}

// Returns the number of the first loop that begins at this slot or after it. Behind it stand those in it.
std::uint32_t first_loop_from(const Variant& variant, std::uint32_t slot) {
  const PlanLoop* loops = variant.loops.data();
  const PlanLoop* first = std::partition_point(
      loops, loops + variant.loops.size(), [slot](const PlanLoop& loop) { return loop.first_slot < slot; });
  return static_cast<std::uint32_t>(first - loops);
}

// Likewise, by scopes.
std::uint32_t first_loop_from_scope(const Variant& variant, std::uint32_t scope) {
  const PlanLoop* loops = variant.loops.data();
  const PlanLoop* first =
      std::partition_point(loops, loops + variant.loops.size(),
                           [scope](const PlanLoop& loop) { return loop.first_scope < scope; });
  return static_cast<std::uint32_t>(first - loops);
}

std::uint32_t one_before(std::uint32_t number) {
  return number == 0 ? kNone : number - 1;
}

// Returns the innermost loop that begins before slot `at` and ends there or later; kNone if there is none.
std::uint32_t loop_before_slot(const Variant& variant, std::uint32_t at) {
  std::uint32_t number = one_before(first_loop_from(variant, at));
  while (number != kNone && variant.loops[number].end_slot < at) number = variant.loop_around[number];
  return number;
}

// Likewise, before scope `at`, of the loops that have scopes and that the pass, which stands before `slot`, has not left.
std::uint32_t loop_before_scope(const Variant& variant, std::uint32_t at, std::uint32_t slot) {
  std::uint32_t number = one_before(first_loop_from_scope(variant, at));
  for (; number != kNone; number = variant.loop_around[number]) {
    const PlanLoop& loop = variant.loops[number];
    if (loop.scopes != 0 && loop.end_scope >= at && loop.end_slot >= slot) break;
  }
  return number;
}

// ---- by call sites ----

// Returns the number of a loop that begins at slot `at` and after which the plan has a slot for the site: the pass leaves it
// out. Returns kNone if there is no such loop.
std::uint32_t loop_left_out(const Variant& variant, std::uint32_t at, std::uint64_t site) {
  for (std::uint32_t number = first_loop_from(variant, at); number < variant.loops.size(); ++number) {
    const PlanLoop& loop = variant.loops[number];
    if (loop.first_slot != at) break;
    if (is_at(variant, loop.end_slot, site)) return number;
  }
  return kNone;
}

std::uint32_t leave_out(Lane& lane, const Variant& variant, std::uint32_t number) {
  const PlanLoop& loop = variant.loops[number];
  go_on_from(lane, variant, loop, loop.end_scope);
  return loop.end_slot;
}

// Returns the slot for the site at which a pass goes on that stands before slot `at` and scope `scope` of the loop: that
// slot, or one after a loop that begins there. Returns kNone, and moves nothing, if there is none.
std::uint32_t go_on_at(Lane& lane, const Variant& variant, const PlanLoop& loop, std::uint32_t at,
                       std::uint32_t scope, std::uint64_t site) {
  const bool here = is_at(variant, at, site);
  const std::uint32_t number = here ? kNone : loop_left_out(variant, at, site);
  if (!here && number == kNone) return kNone;
  go_on_from(lane, variant, loop, scope);
  return here ? at : leave_out(lane, variant, number);
}

// Returns the slot after a last iteration that the plan has behind the loop, since an operator of it stays open for
// longer. A pass takes that iteration for another one of the loop. Returns kNone where what follows the loop is no
// such iteration, or where the plan asks for another site after it.
std::uint32_t behind_last_iteration(const Variant& variant, const PlanLoop& loop, std::uint64_t site) {
  const std::uint32_t slot = loop.end_slot + loop.slots;
  const std::uint32_t scope = loop.end_scope + loop.scopes;
  if (slot >= variant.slot_count || scope > variant.scope_count) return kNone;
  const auto site_of = [&](std::uint32_t at) { return variant.hot[at].site.load(std::memory_order_relaxed); };
  if (site_of(slot) != site) return kNone;
  for (std::uint32_t at = 0; at < loop.slots; ++at)
    if (site_of(loop.first_slot + at) != site_of(loop.end_slot + at)) return kNone;
  for (std::uint32_t at = 0; at < loop.scopes; ++at)
    if (variant.links[loop.first_scope + at].name != variant.links[loop.end_scope + at].name) return kNone;
  return slot;
}

// Returns the first slot of the next iteration, or `at` between two iterations. An iteration may lack its last steps: what
// is left of it is short where the plan foresaw that, and none of it is for the site. Returns kNone otherwise.
std::uint32_t end_of_iteration(const Variant& variant, const PlanLoop& loop, std::uint32_t at,
                               std::uint64_t site) {
  constexpr std::uint32_t kMostLacking = 4;
  const std::uint32_t done = (at - loop.first_slot) % loop.slots;
  const std::uint32_t lacking = done == 0 ? 0 : loop.slots - done;
  if (lacking > kMostLacking) return kNone;
  for (std::uint32_t slot = at; slot < at + lacking; ++slot)
    if (is_at(variant, slot, site)) return kNone;
  return at + lacking;
}

// Returns true if the loop ends where an iteration of the loop around it does. That loop then says what follows.
bool ends_an_iteration(const Variant& variant, std::uint32_t number) {
  const std::uint32_t around = variant.loop_around[number];
  if (around == kNone) return false;
  const PlanLoop& outer = variant.loops[around];
  return (variant.loops[number].end_slot - outer.first_slot) % outer.slots == 0;
}

// Likewise, by scopes.
bool ends_an_iteration_of_scopes(const Variant& variant, std::uint32_t number) {
  const std::uint32_t around = variant.loop_around[number];
  if (around == kNone || variant.loops[around].scopes == 0) return false;
  const PlanLoop& outer = variant.loops[around];
  return (variant.loops[number].end_scope - outer.first_scope) % outer.scopes == 0;
}

// Returns the slot for the site in the next iteration of the loop, or right after the loop; kNone if there is none. The
// pass stands between two iterations, before slot `next`.
std::uint32_t iterate_in(Lane& lane, const Variant& variant, std::uint32_t number, std::uint32_t next,
                         std::uint64_t site) {
  const PlanLoop& loop = variant.loops[number];
  const std::uint32_t again = next == loop.end_slot ? loop.first_slot : next;
  const std::uint32_t scope = loop.first_scope + (again - loop.first_slot) / loop.slots * loop.scopes;
  const std::uint32_t round = go_on_at(lane, variant, loop, again, scope, site);
  if (round != kNone || ends_an_iteration(variant, number)) return round;
  return go_on_at(lane, variant, loop, loop.end_slot, loop.end_scope, site);
}

// ---- by operators ----

bool is_named(const Variant& variant, std::uint32_t scope, std::uint32_t name) {
  return scope < variant.scope_count && variant.links[scope].name == name;
}

std::uint32_t first_of_name(const Variant& variant, const PlanLoop& loop, std::uint32_t name) {
  std::uint32_t scope = loop.first_scope;
  while (scope < loop.end_scope && variant.links[scope].name != name) ++scope;
  return scope < loop.end_scope ? scope : kNone;
}

bool begins_iteration(const PlanLoop& loop, std::uint32_t scope) {
  return scope >= loop.first_scope && scope < loop.end_scope && (scope - loop.first_scope) % loop.scopes == 0;
}

// Returns the scope after a loop that begins at scope `at` and that the pass leaves out, where that scope has the name and
// the loop's first has not; kNone if there is no such loop.
std::uint32_t past_a_loop_of_scopes(Lane& lane, const Variant& variant, std::uint32_t at,
                                    std::uint32_t name) {
  for (std::uint32_t number = first_loop_from_scope(variant, at); number < variant.loops.size(); ++number) {
    const PlanLoop& loop = variant.loops[number];
    if (loop.first_scope != at) break;
    if (loop.scopes == 0 || is_named(variant, at, name) || !is_named(variant, loop.end_scope, name)) continue;
    go_on_from(lane, variant, loop, loop.end_scope);
    return loop.end_scope;
  }
  return kNone;
}

// Leaves a loop for the scope after it, or for the one after a loop that begins there, if that has the name. Returns
// kNone, and moves nothing, otherwise.
std::uint32_t leave_for_scope(Lane& lane, const Variant& variant, const PlanLoop& loop, std::uint32_t name) {
  if (!is_named(variant, loop.end_scope, name))
    return past_a_loop_of_scopes(lane, variant, loop.end_scope, name);
  go_on_from(lane, variant, loop, loop.end_scope);
  return loop.end_scope;
}

// Goes back to the first instance of the name in the loop. Returns kNone, and moves nothing, if it has none.
std::uint32_t go_back_in(Lane& lane, const Variant& variant, const PlanLoop& loop, std::uint32_t name) {
  const std::uint32_t scope = first_of_name(variant, loop, name);
  if (scope != kNone) go_on_from(lane, variant, loop, scope);
  return scope;
}

// Likewise, in the innermost loop that has an instance, of the last loop before scope `next` and those around it.
std::uint32_t go_back_in_loops(Lane& lane, const Variant& variant, std::uint32_t next, std::uint32_t name) {
  std::uint32_t scope = kNone;
  for (std::uint32_t number = one_before(first_loop_from_scope(variant, next));
       number != kNone && scope == kNone; number = variant.loop_around[number])
    scope = go_back_in(lane, variant, variant.loops[number], name);
  return scope;
}

// Returns the scope of this name at which a pass before scope `at` of the loop goes round, or leaves it. `scope` is the next
// one in the order of the plan, or kNone. Returns kNone, and moves nothing, if the pass does neither.
std::uint32_t iterate_in_scopes(Lane& lane, const Variant& variant, std::uint32_t number, std::uint32_t at,
                                std::uint32_t name, std::uint32_t scope) {
  const PlanLoop& loop = variant.loops[number];
  const bool begins = is_named(variant, loop.first_scope, name);
  const bool between = (at - loop.first_scope) % loop.scopes == 0;
  if (begins && scope >= loop.end_scope) {
    go_on_from(lane, variant, loop, loop.first_scope);
    return loop.first_scope;
  }
  if (scope == kNone) return between ? kNone : go_back_in(lane, variant, loop, name);
  const bool leaves = between && !begins && !ends_an_iteration_of_scopes(variant, number);
  return leaves ? leave_for_scope(lane, variant, loop, name) : kNone;
}

// Returns the scope of this name that a pass in the loop goes on with, of which `scope` is the next in the order of the plan.
std::uint32_t go_on_in(Lane& lane, const Variant& variant, const PlanLoop& loop, std::uint32_t name,
                       std::uint32_t scope) {
  const std::uint32_t next = lane.progress.next_scope;
  if (scope != next && begins_iteration(loop, scope)) {
    go_on_from(lane, variant, loop, scope);
  } else if (scope < next && is_named(variant, next, name)) {
    return next;
  }
  return scope;
}

}  // namespace

std::uint32_t loop_around_slot(const Variant& variant, std::uint32_t at) {
  const std::uint32_t before = loop_before_slot(variant, at);
  if (before != kNone && variant.loops[before].end_slot == at) return before;
  const std::uint32_t here = first_loop_from(variant, at);
  return here < variant.loops.size() && variant.loops[here].first_slot == at ? here : before;
}

bool follows_loop(const Variant& variant, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t number = loop_before_slot(variant, from); number != kNone;
       number = variant.loop_around[number]) {
    const PlanLoop& loop = variant.loops[number];
    const bool between = (from - loop.first_slot) % loop.slots == 0;
    if (between && (to == loop.first_slot || to == loop.end_slot)) return true;
  }
  return false;
}

bool ends_in_a_loop(const Variant& variant) {
  for (std::uint32_t number = one_before(static_cast<std::uint32_t>(variant.loops.size())); number != kNone;
       number = variant.loop_around[number])
    if (variant.loops[number].end_slot == variant.slot_count) return true;
  return false;
}

// Looks at the loops from the inside out: a pass that leaves a loop stands after it, in an iteration of the next one.
std::uint32_t iterate_to_slot(Lane& lane, const Variant& variant, std::uint32_t at, std::uint64_t site) {
  std::uint32_t number = loop_before_slot(variant, at);
  if (number == kNone || variant.loops[number].end_slot != at) {
    const std::uint32_t left_out = loop_left_out(variant, at, site);
    if (left_out != kNone) return leave_out(lane, variant, left_out);
  }
  for (; number != kNone; number = variant.loop_around[number]) {
    const PlanLoop& loop = variant.loops[number];
    const std::uint32_t next = end_of_iteration(variant, loop, at, site);
    if (next == kNone) return kNone;
    const std::uint32_t slot = iterate_in(lane, variant, number, next, site);
    if (slot != kNone) return slot;
    const std::uint32_t behind = next == at ? behind_last_iteration(variant, loop, site) : kNone;
    if (behind != kNone) {
      go_on_from(lane, variant, loop, loop.end_scope + loop.scopes);
      return behind;
    }
    at = loop.end_slot;
  }
  return kNone;
}

// Looks at the loops from the inside out, until one has the next instance of the name. kNone is no loop's.
std::uint32_t iterate_to_scope(Lane& lane, const Variant& variant, std::uint32_t slot, std::uint32_t name,
                               std::uint32_t scope) {
  const std::uint32_t next = lane.progress.next_scope;
  std::uint32_t number = loop_before_scope(variant, next, slot);
  if (number == kNone || variant.loops[number].end_scope != next) {
    const std::uint32_t past = past_a_loop_of_scopes(lane, variant, next, name);
    if (past != kNone) return past;
  }
  for (std::uint32_t at = next; number != kNone; number = variant.loop_around[number]) {
    const PlanLoop& loop = variant.loops[number];
    if (loop.scopes == 0) continue;
    const std::uint32_t found = iterate_in_scopes(lane, variant, number, at, name, scope);
    if (found != kNone) return found;
    if (scope < loop.end_scope) return go_on_in(lane, variant, loop, name, scope);
    at = loop.end_scope;
  }
  return scope != kNone ? scope : go_back_in_loops(lane, variant, next, name);
}

}  // namespace memo::runtime
