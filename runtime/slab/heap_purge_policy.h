// When the heap shall give back the memory that passes left idle in it.
//
// The heap beside the slab gives nothing back by itself: a pass that falls back wants the same memory with the
// next request. But memory that no pass wants any more should not lie beside a slab that serves all passes. One
// such object watches all passes of a process.
//
// - The passes of a warm-up do not match the plan. They are few, and leave much garbage. The heap gives memory back
// after each of them, and after the first pass that the plan serves. So neither their garbage nor the slab comes on top. It does so
// before the next pass, too: the answer of the last one lay in the heap, and the caller has freed it since.
// Within a pass it gives back only before a block that is a large part of the pass: new pages for it, in the heap or at a place
// in the slab, come beside what other blocks of the pass left idle, and the peak of the run would be both. Before smaller blocks
// that saves little more: the pass would touch the same pages again and again. Where the heap provides the block, the lane of the
// pass gives back its idle pages, too.
//
// - Later the heap gives memory back once no pass has wanted much of it for a while, and each time that while
// is longer. It is a time and no number of passes: a program that needs the heap every second would pay for the
// same pages again and again, however many passes lie in between. That while is never longer than an hour, or than what
// wait_at_most() says.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace memo::runtime {

// Returns how many bytes a pass with a lane of `lane_bytes` may take from the heap before that counts as much:
// a quarter of the lane, and at least 1 MiB.
constexpr std::uint64_t much_of_the_heap(std::uint64_t lane_bytes) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
  return std::max(lane_bytes / 4, kLeast);
}

// Returns from how many bytes on a block is a large part of a pass with a lane of `lane_bytes`: an eighth of the lane, and at least
// 1 MiB.
constexpr std::uint64_t large_part_of_a_pass(std::uint64_t lane_bytes) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
  return std::max(lane_bytes / 8, kLeast);
}

// Passes of several threads may call these functions at once: a step may then be lost, or come twice.
class IdleHeap {
 public:
  static constexpr std::int64_t kFirstWhile = 1'000'000'000;  // nanoseconds
  static constexpr std::int64_t kLongestWhile = 3600 * kFirstWhile;
  static constexpr std::uint32_t kWarmUpPasses = 8;  // at most so many passes are a warm-up

  // Sets the longest wait in nanoseconds.
  void wait_at_most(std::int64_t nanoseconds) {
    longest_while_.store(nanoseconds, std::memory_order_relaxed);
  }

  // Notes the end of a pass that took much from the heap. Returns true if the heap shall give back idle memory
  // now. A pass that took no more than the one before it is hardly part of a warm-up, and the next one may want
  // the very same memory: it halves the number of warm-up passes left.
  bool wanted(std::int64_t now, std::uint64_t bytes) {
    wanted_at_.store(now, std::memory_order_relaxed);
    in_use_.store(true, std::memory_order_relaxed);
    const bool more = bytes > last_wanted_.exchange(bytes, std::memory_order_relaxed);
    std::uint32_t left = warm_up_left_.load(std::memory_order_relaxed);
    const std::uint32_t rest = more ? left - 1 : left / 2;
    return left != 0 && warm_up_left_.compare_exchange_strong(left, rest, std::memory_order_relaxed);
  }

  // Returns true if the heap shall give back idle memory before a block that is much of a pass.
  [[nodiscard]] bool makes_room() const { return warm_up_left_.load(std::memory_order_relaxed) != 0; }

  // Returns true if a pass took much from the heap at this time or later.
  [[nodiscard]] bool was_wanted_since(std::int64_t time) const {
    return wanted_at_.load(std::memory_order_relaxed) >= time;
  }

  // Returns true if some pass took much since the heap last gave memory back. True at first, for what loaded
  // the model.
  [[nodiscard]] bool is_in_use() const { return in_use_.load(std::memory_order_relaxed); }

  // Returns true once the heap has given back what the warm-up left. What it gives back later, the program's
  // served passes had wanted.
  [[nodiscard]] bool is_past_warm_up() const { return while_.load(std::memory_order_relaxed) != 0; }

  // Notes the end of a pass that took little from the heap. Returns true if the heap shall give back idle
  // memory now.
  bool not_wanted(std::int64_t now) {
    const std::int64_t wait = while_.load(std::memory_order_relaxed);
    if (now - wanted_at_.load(std::memory_order_relaxed) < wait) return false;
    if (!in_use_.exchange(false, std::memory_order_relaxed)) return false;
    while_.store(std::min(wait == 0 ? kFirstWhile : 4 * wait, longest_while_.load(std::memory_order_relaxed)),
                 std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<std::uint64_t> last_wanted_{0};
  std::atomic<std::int64_t> wanted_at_{0};
  std::atomic<std::int64_t> while_{0};
  std::atomic<std::int64_t> longest_while_{kLongestWhile};
  std::atomic<std::uint32_t> warm_up_left_{kWarmUpPasses};
  std::atomic<bool> in_use_{true};
};

// Bytes that the heap gave back and no pass has wanted again.
class GivenBack {
 public:
  void add(std::uint64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }

  // Returns how many of the bytes that a pass wants it touches anew. They are not given back any more.
  std::uint64_t take(std::uint64_t wanted) {
    std::uint64_t bytes = bytes_.load(std::memory_order_relaxed);
    while (bytes != 0 &&
           !bytes_.compare_exchange_weak(bytes, bytes - std::min(bytes, wanted), std::memory_order_relaxed)) {
    }
    return std::min(bytes, wanted);
  }

 private:
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace memo::runtime
