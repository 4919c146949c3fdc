// Plans for shapes that were not profiled. A plan that grows is laid out anew from a copy of its file, between two passes, and
// the copy has larger sizes and longer lists (runtime/serving/growing.h):
//
//   a slot with a formula   takes what it says for the numbers that passes had (formulas.h)
//   any other               takes what passes asked for: it remembers the largest request that did not fit (Seen)
//   a list                  has twice the cells where passes used it up (longer_lists.h)
//
// None of this is on the fast path: it begins where a request did not fit (wishes.h).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

#include "runtime/formats/plan_format.h"

namespace memo::runtime {

inline constexpr std::uint64_t kNoPlanHoldsIt = kMaxPlanHeight + 1;

// Returns true if some slots of a variant have another size than they have here.
[[nodiscard]] inline bool have_other_sizes(std::span<const PlanSlot> slots, const PlanSlot* before) {
  return !std::equal(slots.begin(), slots.end(), before,
                     [](const PlanSlot& a, const PlanSlot& b) { return a.size == b.size; });
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
