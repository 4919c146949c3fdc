// When a program that is served records its passes again, and how many of them.
//
//   windows of 32 passes    | good | good | bad | bad |  -> records, at most 64 passes …
//                                                     … rests for 16 times as many, and 2 s at least
//
// A window is bad when less than nine tenths of its allocations, or of their bytes, came from the slab. Two bad ones in a row are due
// to be learned. When that did not help, the next recording may be twice as long, after twice the rest; after six in a row
// that did not help there is no other until a window was good. So a program that no plan fits spends a few thousand passes
// on it in its life, and one that changes all the time a sixteenth of them.
//
// Counts and a clock in, a decision out: nothing here touches the program.
#pragma once

#include <cstdint>

namespace memo::guest {

// Of all passes so far.
struct PassCounts {
  std::uint64_t passes;
  std::uint64_t served, served_bytes;
  std::uint64_t missed;  // for want of a plan that has them
  std::uint64_t
      beyond_plans;  // for reasons that no plan can change, such as passes for which there was no lane
  std::uint64_t missed_bytes;  // of both
};

class Schedule {
 public:
  static constexpr std::uint64_t kWindow = 32;
  static constexpr std::uint64_t kMostPasses = 64;  // of the first recording
  static constexpr std::uint64_t kRest = 16;
  static constexpr std::int64_t kLeastRestSeconds = 2;
  static constexpr std::uint32_t kMostInVain = 6;

  // Is there a window to judge? For any thread; the others are for one at a time.
  [[nodiscard]] bool has_window(std::uint64_t passes) const {
    return passes - __atomic_load_n(&window_.passes, __ATOMIC_RELAXED) >= kWindow;
  }

  // Judges the window that ends now. True: record.
  [[nodiscard]] bool is_due(const PassCounts& now, std::int64_t seconds);

  // The most that the present recording may take.
  [[nodiscard]] std::uint64_t most_passes() const { return kMostPasses << in_vain_; }

  // A recording has ended; those passes are no matter for a window.
  void recorded(std::uint64_t passes, const PassCounts& now, std::int64_t seconds);

  // Another plan serves: what was before says nothing of it.
  void begin_window(const PassCounts& now);

  [[nodiscard]] std::uint32_t in_vain() const { return in_vain_; }

 private:
  void begin_window_at(const PassCounts& now);

  PassCounts window_{};  // the counts when it began
  std::uint32_t bad_windows_ = 0;
  std::uint32_t in_vain_ = 0;  // recordings since the last good window
  std::uint64_t not_before_passes_ = 0;
  std::int64_t not_before_seconds_ = 0;
};

}  // namespace memo::guest
