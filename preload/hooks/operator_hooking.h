// Decides when the hooks of operators are worth having. A hooked function costs some 20 ns even where its thread ignores operators:
// the processor has to fetch the thunk, and where it leads to. That is 4 % of an eager decoder. So operators are unhooked once a long
// row of passes has heard of none, and hooked again when passes want a lead. Each time makes the next row four times as long.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/platform/backoff.h"

namespace memo::guest {

class OperatorHooking {
 public:
  enum class Step { kNone, kUnhook, kHook };

  // Takes note of a pass that has ended. Returns what is to be done with the hooks, to one caller alone. For any thread; the
  // counts of passes at once may lose some.
  [[nodiscard]] Step note(bool heard_operators) {
    return unhooked_.load(std::memory_order_relaxed) ? while_unhooked(heard_operators)
                                                     : while_hooked(heard_operators);
  }

  [[nodiscard]] bool are_unhooked() const { return unhooked_.load(std::memory_order_relaxed); }

  // Has the hooks set for another reason. Returns true if they were unhooked.
  [[nodiscard]] bool end() { return unhooked_.exchange(false, std::memory_order_relaxed); }

 private:
  static constexpr runtime::Backoff<std::uint32_t> kRows{.first = 64, .longest = 1U << 24, .factor = 4};
  static constexpr std::uint32_t kWanting =
      4;  // passes that must want a lead: one that departs proves little

  Step while_hooked(bool heard) {
    if (heard) return unheard_.store(0, std::memory_order_relaxed), Step::kNone;
    if (raise(unheard_) < row_.load(std::memory_order_relaxed)) return Step::kNone;
    unheard_.store(0, std::memory_order_relaxed);
    wanting_.store(0, std::memory_order_relaxed);
    return unhooked_.exchange(true, std::memory_order_relaxed) ? Step::kNone : Step::kUnhook;
  }

  Step while_unhooked(bool wants) {
    if (!wants || raise(wanting_) < kWanting) return Step::kNone;
    row_.store(kRows.after(row_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
    return end() ? Step::kHook : Step::kNone;
  }

  static std::uint32_t raise(std::atomic<std::uint32_t>& count) {
    const std::uint32_t now = count.load(std::memory_order_relaxed) + 1;
    count.store(now, std::memory_order_relaxed);
    return now;
  }

  std::atomic<bool> unhooked_{false};
  std::atomic<std::uint32_t> unheard_{0};  // passes in a row that heard of no operator
  std::atomic<std::uint32_t> wanting_{0};  // passes that wanted a lead since operators are unhooked
  std::atomic<std::uint32_t> row_{kRows.first};
};

}  // namespace memo::guest
