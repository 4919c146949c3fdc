#include "runtime/plan/loop_check.h"

#include <cstdint>
#include <span>

namespace memo::runtime {
namespace {

// Returns true if `count` elements are `of_one` for each iteration of the period.
bool divides(std::uint32_t count, std::uint32_t of_one, std::uint32_t period) {
  return std::uint64_t{of_one} * period == count;
}

bool check_loop(const PlanFile& file, const PlanLoop& loop) {
  if (loop.variant >= file.header().variants.count) return false;
  const PlanVariant& variant = file.variants()[loop.variant];
  if (loop.first_slot >= loop.end_slot || loop.end_slot > variant.slot_count || loop.slots == 0) return false;
  if (loop.first_scope > loop.end_scope || loop.end_scope > variant.scope_count) return false;
  const std::uint32_t period = (loop.end_slot - loop.first_slot) / loop.slots;
  return period <= kMaxLoopPeriod && divides(loop.end_slot - loop.first_slot, loop.slots, period) &&
         divides(loop.end_scope - loop.first_scope, loop.scopes, period);
}

}  // namespace

bool check_loops(const PlanFile& file, PlanFault* why) {
  const std::span<const PlanLoop> loops = file.loops();
  std::uint32_t of_variant = 0;
  for (std::size_t index = 0; index < loops.size(); ++index) {
    const PlanLoop* before = index == 0 ? nullptr : &loops[index - 1];
    const bool follows = before != nullptr && before->variant == loops[index].variant;
    of_variant = follows ? of_variant + 1 : 1;
    const bool in_order = before == nullptr || before->variant < loops[index].variant ||
                          (follows && before->end_slot <= loops[index].first_slot &&
                           before->end_scope <= loops[index].first_scope);
    if (!in_order || of_variant > kMaxLoops || !check_loop(file, loops[index]))
      return fault(why, "loop %zu goes over slots or scopes that are not there, or over those of another",
                   index);
  }
  return true;
}

}  // namespace memo::runtime
