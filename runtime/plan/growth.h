// Plans for shapes that were not profiled: sizes that depend on a parameter, and what passes ask of it.
//
//   a slot                  size + growth * t bytes, t = 0 being the largest shape of the profile, or the longest run of a loop
//   a request beyond it     wants t = (request - size) / growth, and without remainder if it is of this family
//   a pass that wanted more the plan is made ready again at that t, between two passes (runtime/serving/serving.h)
//
// Nothing of this is on a path that serves: it begins where a request did not fit.
#pragma once

#include <bit>
#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::runtime {

inline constexpr std::uint64_t kNoPlanHoldsIt = kMaxPlanHeight + 1;

// Bytes of the slot at t; kNoPlanHoldsIt for all that no plan can hold.
[[nodiscard]] inline std::uint64_t size_at(const PlanSlot& slot, std::uint64_t t) {
  std::uint64_t more = 0;
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(slot.growth, t, &more) || __builtin_add_overflow(slot.size, more, &size))
    return kNoPlanHoldsIt;
  return size < kNoPlanHoldsIt ? size : kNoPlanHoldsIt;
}

// Is there a shape, smaller or larger, whose slot is of this size?
[[nodiscard]] inline bool is_on_line(const PlanSlot& slot, std::uint64_t size) {
  const std::uint64_t distance = size > slot.size ? size - slot.size : slot.size - size;
  return slot.growth == 0 ? distance == 0 : distance % slot.growth == 0;
}

// In a loop t counts iterations beyond the longest that was profiled, and each pass may be one longer than the last. Steps that
// double make the plan ready anew only so often.
[[nodiscard]] inline std::uint64_t growth_step(std::uint64_t t) {
  return t != 0 && t < kNoPlanHoldsIt ? std::bit_ceil(t) : t;
}

// What the requests of one pass wanted t to be. A single one must not make the plan huge, so the largest counts only where
// another wanted half as much; and a remainder means that the pass is of no shape on this line, whatever else it asked for.
class WantedGrowth {
 public:
  void add(const PlanSlot& slot, std::uint64_t request) {
    ++requests_;
    const std::uint64_t more = request - slot.size;
    if (more % slot.growth != 0) off_the_line_ = true;
    const std::uint64_t t = more / slot.growth;
    if (t > most_) {
      second_ = most_;
      most_ = t;
    } else if (t > second_) {
      second_ = t;
    }
  }

  [[nodiscard]] std::uint64_t requests() const { return requests_; }

  // `alone`: the variant has no other slot that could confirm it.
  [[nodiscard]] std::uint64_t t(bool alone) const {
    if (off_the_line_) return 0;
    return alone || most_ / 2 <= second_ ? most_ : second_;
  }

 private:
  std::uint64_t most_;
  std::uint64_t second_;
  std::uint64_t requests_;
  bool off_the_line_;
};

}  // namespace memo::runtime
