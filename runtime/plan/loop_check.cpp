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
  if (loop.variant >= file.variants().size()) return false;
  const PlanVariant& variant = file.variants()[loop.variant];
  if (loop.first_slot >= loop.end_slot || loop.end_slot > variant.slot_count || loop.slots == 0) return false;
  if (loop.first_scope > loop.end_scope || loop.end_scope > variant.scope_count) return false;
  const std::uint32_t period = (loop.end_slot - loop.first_slot) / loop.slots;
  return period <= kMaxLoopPeriod && divides(loop.end_slot - loop.first_slot, loop.slots, period) &&
         divides(loop.end_scope - loop.first_scope, loop.scopes, period);
}

bool lies_in_one_iteration(const PlanLoop& inner, const PlanLoop& outer) {
  if (inner.first_slot < outer.first_slot) return false;
  const std::uint32_t iteration = (inner.first_slot - outer.first_slot) / outer.slots;
  const std::uint32_t scope = outer.first_scope + iteration * outer.scopes;
  return inner.end_slot <= outer.first_slot + (iteration + 1) * outer.slots && inner.first_scope >= scope &&
         inner.end_scope <= scope + outer.scopes;
}

// The loops of one variant, as they follow one another and lie in each other.
class Nesting {
 public:
  [[nodiscard]] bool holds(std::uint32_t variant) const { return count_ != 0 && variant_ == variant; }

  void begin(std::uint32_t variant) {
    variant_ = variant;
    count_ = depth_ = 0;
  }

  // Returns true if the loop comes after those before it, or lies in one iteration of the last that has not ended.
  bool add(const PlanLoop& loop) {
    if (++count_ > kMaxLoops) return false;
    while (depth_ != 0 && open_[depth_ - 1]->end_slot <= loop.first_slot)
      if (open_[--depth_]->end_scope > loop.first_scope) return false;
    if (depth_ == kMaxLoopDepth) return false;
    if (depth_ != 0 && !lies_in_one_iteration(loop, *open_[depth_ - 1])) return false;
    open_[depth_++] = &loop;
    return true;
  }

 private:
  const PlanLoop* open_[kMaxLoopDepth] = {};  // the loops around the last one, and that one
  std::uint32_t depth_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t variant_ = 0;
};

}  // namespace

bool check_loops(const PlanFile& file, PlanFault* why) {
  const std::span<const PlanLoop> loops = file.loops();
  Nesting nesting;
  for (std::size_t index = 0; index < loops.size(); ++index) {
    const PlanLoop& loop = loops[index];
    const bool in_order = index == 0 || loops[index - 1].variant <= loop.variant;
    if (!nesting.holds(loop.variant)) nesting.begin(loop.variant);
    if (!in_order || !check_loop(file, loop) || !nesting.add(loop))
      return fault(why, "loop %zu goes over slots or scopes that are not there, or over those of another",
                   index);
  }
  return true;
}

}  // namespace memo::runtime
