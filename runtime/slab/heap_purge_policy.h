// When the heap shall give back what passes left idle in it.
//
// The heap beside the slab gives nothing back by itself: a pass that falls back wants the same memory with the next
// request. But what no pass wants any more should not lie beside a slab that serves them all. One such object watches all
// passes of a process.
//
// - The passes of a warm-up do not match the plan. They are few, and ask for much more than they hold at once: the heap
//   gives back within them, step by step, after them, and after the first pass that the plan serves. So neither their
//   garbage nor the slab comes on top.
// - Later it gives back once no pass has wanted much of it for a while, and each time the while is longer. It is a time and
//   no number of passes: whoever comes back every second pays for the same pages again and again, however many requests lie
//   in between.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace memo::runtime {

// What a pass with a slab of so many bytes may have from the heap before it counts.
constexpr std::uint64_t much_of_the_heap(std::uint64_t lane_bytes) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
  return std::max(lane_bytes / 4, kLeast);
}

// Passes of several threads may tell it something at once: what is lost then is a step, or comes once more.
class IdleHeap {
 public:
  static constexpr std::int64_t kFirstWhile = 1'000'000'000;  // nanoseconds
  static constexpr std::int64_t kLongestWhile = 3600 * kFirstWhile;
  static constexpr std::uint32_t kWarmUpPasses = 8;  // at most

  // The heap provides for a pass that may have so much. True: give back first.
  bool provide(std::uint64_t bytes, std::uint64_t much) {
    if (warm_up_left_.load(std::memory_order_relaxed) == 0) return false;
    const std::uint64_t step = std::max(much, step_.load(std::memory_order_relaxed));
    if (since_given_back_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= step) return false;
    since_given_back_.store(0, std::memory_order_relaxed);
    step_.store(step, std::memory_order_relaxed);
    return true;
  }

  // What came of that. A pass that has the same little memory again and again leaves no garbage of half the step: the next one
  // may be twice as long, or it would pay for its pages at each.
  void gave_back_in_pass(std::uint64_t bytes) {
    const std::uint64_t step = step_.load(std::memory_order_relaxed);
    if (bytes < step / 2) step_.store(2 * step, std::memory_order_relaxed);
  }

  // A pass has ended that had so much from the heap. True: give back now. Who has no more than the pass before it is hardly
  // warming up: the next pass may want the very same.
  bool wanted(std::int64_t now, std::uint64_t bytes) {
    wanted_at_.store(now, std::memory_order_relaxed);
    in_use_.store(true, std::memory_order_relaxed);
    const bool more = bytes > last_wanted_.exchange(bytes, std::memory_order_relaxed);
    std::uint32_t left = warm_up_left_.load(std::memory_order_relaxed);
    const std::uint32_t rest = more ? left - 1 : left / 2;
    return left != 0 && warm_up_left_.compare_exchange_strong(left, rest, std::memory_order_relaxed);
  }

  // Some pass has had much from it since it gave back last; at first, what loaded the model.
  [[nodiscard]] bool is_in_use() const { return in_use_.load(std::memory_order_relaxed); }

  // It has given back what a warm-up left, and what follows was wanted again by what the program serves.
  [[nodiscard]] bool is_past_warm_up() const { return while_.load(std::memory_order_relaxed) != 0; }

  // A pass has ended that had little from it. True: give back now.
  bool not_wanted(std::int64_t now) {
    const std::int64_t wait = while_.load(std::memory_order_relaxed);
    if (now - wanted_at_.load(std::memory_order_relaxed) < wait) return false;
    if (!in_use_.exchange(false, std::memory_order_relaxed)) return false;
    while_.store(wait == 0 ? kFirstWhile : std::min(4 * wait, kLongestWhile), std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<std::uint64_t> since_given_back_{0};
  std::atomic<std::uint64_t> step_{0};
  std::atomic<std::uint64_t> last_wanted_{0};
  std::atomic<std::int64_t> wanted_at_{0};
  std::atomic<std::int64_t> while_{0};
  std::atomic<std::uint32_t> warm_up_left_{kWarmUpPasses};
  std::atomic<bool> in_use_{true};
};

}  // namespace memo::runtime
