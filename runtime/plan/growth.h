// Plans for shapes that were not profiled: sizes that depend on a parameter t, and the t that passes want; and, where
// sizes depend on no parameter, the sizes that passes asked for.
//
//   a slot                  takes size + growth * t bytes; t = 0 is the profile's largest shape or longest loop
//   a request beyond it     wants t = (request - size) / growth; a remainder means that it is of another shape
//   a pass that wants more  makes the library lay out a copy of the plan with the sizes at that t, between two passes
//                           (runtime/serving/growing.h)
//
//   a slot without growth   remembers the largest request that did not fit (Seen); all that a pass asked for is laid
//                           out anew at once
//
// None of this is on the fast path: it begins where a request did not fit.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

#include "runtime/formats/plan_format.h"

namespace memo::runtime {

inline constexpr std::uint64_t kNoPlanHoldsIt = kMaxPlanHeight + 1;

// Returns the bytes of the slot `t` steps on; kNoPlanHoldsIt if no plan can hold them.
[[nodiscard]] inline std::uint64_t size_at(const PlanSlot& slot, std::uint64_t t) {
  std::uint64_t more = 0;
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(slot.growth, t, &more) || __builtin_add_overflow(slot.size, more, &size))
    return kNoPlanHoldsIt;
  return size < kNoPlanHoldsIt ? size : kNoPlanHoldsIt;
}

// Returns true if the slot has bytes of the slab, and its size depends on t.
[[nodiscard]] constexpr bool grows(const PlanSlot& slot) {
  return slot.growth != 0 && !is_on_heap(slot.zone);
}

// Returns true if some slots of a variant have another size than they have here.
[[nodiscard]] inline bool have_other_sizes(std::span<const PlanSlot> slots, const PlanSlot* before) {
  return !std::equal(slots.begin(), slots.end(), before,
                     [](const PlanSlot& a, const PlanSlot& b) { return a.size == b.size; });
}

// Returns true if the slot has this size at some shape, smaller or larger.
[[nodiscard]] inline bool is_on_line(const PlanSlot& slot, std::uint64_t size) {
  const std::uint64_t distance = size > slot.size ? size - slot.size : slot.size - size;
  return slot.growth == 0 ? distance == 0 : distance % slot.growth == 0;
}

// Rounds t up, by an eighth at most. In a loop t counts iterations beyond the longest that was profiled, and each
// pass may be one longer than the last: with eight steps until t has doubled, the library seldom prepares the plan again.
[[nodiscard]] inline std::uint64_t growth_step(std::uint64_t t) {
  if (t >= kNoPlanHoldsIt) return t;
  const std::uint64_t step = std::max<std::uint64_t>(std::bit_floor(t) / 8, 1);
  return (t + step - 1) / step * step;
}

// Limits how many times as high as planned a variant may become where its sizes lie on no line. A text of twice the
// length needs four times the room at most. What asks for more is hardly the program that was profiled.
inline constexpr std::uint64_t kMostTimesAsHigh = 4;

// The values of t that the requests of one pass wanted. A single request must not make the plan huge, so the
// largest t counts only if another request wanted at least half of it; otherwise the second largest counts. A
// single remainder means that the pass has no shape on this line, whatever else it asked for.
class WantedGrowth {
 public:
  // `has` is the t that the slot is laid out for.
  void add(const PlanSlot& slot, std::uint64_t has, std::uint64_t request) {
    ++requests_;
    const std::uint64_t more = request - slot.size;
    if (more % slot.growth != 0) off_the_line_ = true;
    const std::uint64_t t = has + more / slot.growth;
    follow(t);
    if (t > most_) {
      second_ = most_;
      most_ = t;
    } else if (t > second_) {
      second_ = t;
    }
  }

  [[nodiscard]] std::uint64_t requests() const { return requests_; }

  // Returns the t that a pass through a loop wanted; 0 if none. Only what rose to it counts: each iteration wants a little more than
  // the one before. What a pass asks for at a wrong place in the loop is far beyond, and does not rise.
  [[nodiscard]] std::uint64_t risen() const { return off_the_line_ ? 0 : risen_; }

  // Returns the t that the pass wanted; 0 if none. `alone` says that the variant has no other slot that could
  // confirm it.
  [[nodiscard]] std::uint64_t t(bool alone) const {
    if (off_the_line_) return 0;
    return alone || most_ / 2 <= second_ ? most_ : second_;
  }

 private:
  static constexpr std::uint64_t kRise = 2;  // at most from one request to the next of those that rise

  void follow(std::uint64_t t) {
    const auto is_next = [t](std::uint64_t before) { return before < t && t <= before + kRise; };
    if (is_next(risen_) || (t > risen_ && is_next(begun_))) risen_ = t;
    if (t > risen_) begun_ = t;
  }

  std::uint64_t most_;
  std::uint64_t second_;
  std::uint64_t risen_;
  std::uint64_t begun_;  // where the rise may have begun, beyond what rose before
  std::uint64_t requests_;
  bool off_the_line_;
};

// The largest request that a slot was too small for; 0 if none was. Passes raise it at any time.
using Seen = std::atomic<std::uint64_t>;

inline void raise(Seen& seen, std::uint64_t size) {
  std::uint64_t before = seen.load(std::memory_order_relaxed);
  while (before < size && !seen.compare_exchange_weak(before, size, std::memory_order_relaxed)) {
  }
}

// What is known of how a variant grows, beside sizes.
class GrowthState {
 public:
  enum Bit : std::uint32_t {
    kLaidOutAnew = 1,       // its slots are larger than in the file, so that its places there do not count
    kWantsLargerSlots = 2,  // a pass of a larger shape wants its slots as large as seen
    kWantsLongerLists = 4,  // a pass used up its lists
    kConfined = 8,          // one of both was tried: where this plan still serves, there was no room
    kListsAreLongest = 16,  // they are as long as they may be
  };

  [[nodiscard]] bool has(std::uint32_t any) const {
    return (bits_.load(std::memory_order_relaxed) & any) != 0;
  }
  void set(Bit bit) { bits_.fetch_or(bit, std::memory_order_relaxed); }

  // Returns true if the bit was set, and clears it.
  bool take(Bit bit) { return (bits_.fetch_and(~bit, std::memory_order_relaxed) & bit) != 0; }

 private:
  std::atomic<std::uint32_t> bits_;
};

// Limits how many times as large as planned a slot may become. As for WantedGrowth, a single request must not make
// the plan huge: a factor of more than two counts only if another slot confirms at least half of it.
class ConfirmedFactor {
 public:
  void add(std::uint64_t planned, std::uint64_t seen) {
    const std::uint64_t factor = seen / std::max<std::uint64_t>(planned, 1) + 1;
    second_ = std::max(second_, std::min(most_, factor));
    most_ = std::max(most_, factor);
  }
  [[nodiscard]] std::uint64_t most() const {
    return std::min(most_, std::max<std::uint64_t>(2, 2 * second_));
  }

 private:
  std::uint64_t most_ = 0;
  std::uint64_t second_ = 0;
};

}  // namespace memo::runtime
