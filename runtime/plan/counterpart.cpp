#include "runtime/plan/counterpart.h"

namespace memo::runtime {
namespace {

// Returns the slot of `its` that is as far behind the begin as `slot` is in `mine`, or behind the end; kNone where it would be past the end.
std::uint32_t as_far_into(const PlanScope& its, const PlanScope& mine, std::uint32_t slot) {
  if (slot >= mine.end_slot) return its.end_slot + (slot - mine.end_slot);
  const std::uint32_t behind_begin = slot - mine.first_slot;
  return behind_begin < its.end_slot - its.first_slot ? its.first_slot + behind_begin : kNone;
}

// Returns true if the operators before these two have one name, too, or if there is none before either.
bool follow_the_same(const Variant& other, std::uint32_t its, const Variant& variant, std::uint32_t mine) {
  if (its == 0 || mine == 0) return its == mine;
  return other.scopes[its - 1].name_hash == variant.scopes[mine - 1].name_hash;
}

}  // namespace

std::uint32_t same_scope_in(const Variant& other, const Variant& variant, std::uint32_t scope) {
  if (scope == kNone) return kNone;
  const std::uint32_t name = find_name(other, variant.scopes[scope].name_hash);
  if (name == kNone) return kNone;
  const std::uint32_t end =
      name + 1 == other.name_count ? other.scope_count : other.names[name + 1].first_by_name;
  const std::uint32_t found = other.names[name].first_by_name + variant.links[scope].before_same_name;
  return found < end ? other.by_name[found] : kNone;
}

Position counterpart_in(const Variant& other, const Variant& variant, const Position& position) {
  if (position.next_scope == 0 || other.scope_count == 0)
    return {.slot = position.slot < other.slot_count ? position.slot : kNone, .next_scope = 0};
  const std::uint32_t mine = position.next_scope - 1;
  const std::uint32_t its = same_scope_in(other, variant, mine);
  if (its == kNone || !follow_the_same(other, its, variant, mine)) return {.slot = kNone, .next_scope = 0};
  const std::uint32_t slot = as_far_into(other.scopes[its], variant.scopes[mine], position.slot);
  return {.slot = slot < other.slot_count ? slot : kNone, .next_scope = its + 1};
}

}  // namespace memo::runtime
