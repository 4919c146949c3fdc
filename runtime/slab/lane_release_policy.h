// Which lanes a process still needs, and when the others give their pages back.
//
// Time is cut into parts, eight of which make the wait. A look in a part notes how many passes ran at once since the look
// before, and which lanes ran. What happened in a part counts for the eight parts after it:
//
//   passes at once   32 |1  1  1  1  1  1  1  1 |1        all but one of the lanes go here
//   part              0  1  2  3  4  5  6  7  8  9
//
// So what a burst took is back within five quarters of the wait, as long as a thread looks: between passes, or where threads
// allocate.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace memo::runtime {

// Any thread may ask is_due(); the other functions are for one thread at a time.
class LaneReleasePolicy {
 public:
  static constexpr std::uint32_t kPartsOfWait = 8;

  // Sets the wait in nanoseconds; 0: nothing is ever due.
  void set_wait(std::int64_t wait) {
    part_length_.store((wait + kPartsOfWait - 1) / kPartsOfWait, std::memory_order_relaxed);
  }

  // Returns true to the first that asks in each part of the time. `now` is in nanoseconds.
  bool is_due(std::int64_t now) {
    const std::int64_t length = part_length_.load(std::memory_order_relaxed);
    if (length == 0) return false;
    const auto part = static_cast<std::uint32_t>(now / length);
    std::uint32_t last = part_.load(std::memory_order_relaxed);
    return part != last && part_.compare_exchange_strong(last, part, std::memory_order_relaxed);
  }

  // Returns the number of the part that the last look was in.
  [[nodiscard]] std::uint32_t part() const { return part_.load(std::memory_order_relaxed); }

  // Notes how many passes ran at once at the most since the look before.
  void note_passes(std::uint32_t at_once) { seen_[part() % kRemembered] = {part(), at_once}; }

  // Returns how many passes ran at once at the most within the wait.
  [[nodiscard]] std::uint32_t most_at_once() const {
    std::uint32_t most = 0;
    for (const Seen& seen : seen_)
      if (!is_over(seen.part)) most = std::max(most, seen.at_once);
    return most;
  }

  // Returns true if the wait is over for what happened in this part.
  [[nodiscard]] bool is_over(std::uint32_t of_part) const { return part() - of_part > kPartsOfWait; }

 private:
  static constexpr std::uint32_t kRemembered = kPartsOfWait + 1;

  struct Seen {
    std::uint32_t part, at_once;
  };

  std::atomic<std::int64_t> part_length_{0};
  std::atomic<std::uint32_t> part_{0};
  Seen seen_[kRemembered]{};
};

}  // namespace memo::runtime
