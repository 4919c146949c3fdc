#include "runtime/pass/loop_cursor.h"

namespace memo::runtime {
namespace {

// Moves the pass to `scope`: every name of the loop then means its first instance from `scope` on.
void go_on_from(Lane& lane, const Variant& variant, const PlanLoop& loop, std::uint32_t scope) {
  for (std::uint32_t at = loop.first_scope; at < scope; ++at)
    lane.next_of_name[variant.links[at].name] = variant.links[at].next_same_name;
  for (std::uint32_t at = loop.end_scope; at-- > scope;) lane.next_of_name[variant.links[at].name] = at;
  lane.progress.next_scope = scope;
}

// Returns the first loop that contains scope `next`, its end included; if there is none, the last loop before
// `next`.
const PlanLoop* loop_at_scope(const Variant& variant, std::uint32_t next) {
  const PlanLoop* left = nullptr;
  for (const PlanLoop& loop : variant.loops) {
    if (loop.scopes == 0 || loop.first_scope > next) continue;
    if (next <= loop.end_scope) return &loop;
    left = &loop;
  }
  return left;
}

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

}  // namespace

const PlanLoop* loop_around_slot(const Variant& variant, std::uint32_t at) {
  for (const PlanLoop& loop : variant.loops) {
    if (loop.first_slot <= at && at <= loop.end_slot) return &loop;
  }
  return nullptr;
}

bool ends_in_a_loop(const Variant& variant) {
  return !variant.loops.empty() && variant.loops.back().end_slot == variant.slot_count;
}

// An iteration may lack its last steps. What is left of it is short where the plan foresaw that.
std::uint32_t turn_to_slot(Lane& lane, const Variant& variant, std::uint32_t at, std::uint64_t site) {
  constexpr std::uint32_t kMostLacking = 4;
  const PlanLoop* loop = loop_around_slot(variant, at);
  if (loop == nullptr) return kNone;
  const auto is_at = [&](std::uint32_t slot) {
    return variant.hot[slot].site.load(std::memory_order_relaxed) == site;
  };
  const std::uint32_t done = (at - loop->first_slot) % loop->slots;
  std::uint32_t lacking = done == 0 ? 0 : loop->slots - done;
  if (lacking > kMostLacking) return kNone;
  for (std::uint32_t slot = at; lacking != 0; ++slot, --lacking)
    if (is_at(slot)) return kNone;
  const std::uint32_t next = done == 0 ? at : at + loop->slots - done;
  const std::uint32_t again = next == loop->end_slot ? loop->first_slot : next;
  if (again != at && is_at(again)) {
    go_on_from(lane, variant, *loop,
               loop->first_scope + (again - loop->first_slot) / loop->slots * loop->scopes);
    return again;
  }
  if (is_at(loop->end_slot)) {
    go_on_from(lane, variant, *loop, loop->end_scope);
    return loop->end_slot;
  }
  const std::uint32_t behind = done == 0 ? behind_last_iteration(variant, *loop, site) : kNone;
  if (behind != kNone) go_on_from(lane, variant, *loop, loop->end_scope + loop->scopes);
  return behind;
}

std::uint32_t turn_to_scope(Lane& lane, const Variant& variant, std::uint32_t name, std::uint32_t scope) {
  const std::uint32_t next = lane.progress.next_scope;
  const PlanLoop* loop = loop_at_scope(variant, next);
  if (loop == nullptr) return scope;
  const bool inside = next <= loop->end_scope;
  const bool between = inside && (next - loop->first_scope) % loop->scopes == 0;
  const bool begins = is_named(variant, loop->first_scope, name);
  const bool none_left = scope == kNone || scope >= loop->end_scope;
  if (scope == kNone || (inside && begins && none_left)) {
    scope = first_of_name(variant, *loop, name);
    if (scope != kNone) go_on_from(lane, variant, *loop, scope);
  } else if (between && !begins && is_named(variant, loop->end_scope, name)) {
    scope = loop->end_scope;
    go_on_from(lane, variant, *loop, scope);
  } else if (inside && scope != next && begins_iteration(*loop, scope)) {
    go_on_from(lane, variant, *loop, scope);
  } else if (inside && scope < next && is_named(variant, next, name)) {
    scope = next;
  }
  return scope;
}

}  // namespace memo::runtime
