// Decides when the library records the passes of a served program again, and how many of them.
//
//   windows of 32 passes    | good | good | bad | bad |  -> records, at most 128 passes …
//                                                     … rests for 16 times as many passes, and at least 4 s
//
// A window is bad if less than nine tenths of its allocations, or of their bytes, came from the slab. A window
// without a plan is neither bad nor good. After two bad windows in a row a recording is due. The first recording
// of the process has at most 64 passes and is followed by at least 2 s of rest; each further one in a row that did
// not help doubles both. A recording has helped once 16 windows in a row were good: a program that changes all the time has
// single good ones by chance. After six in a row that did not help, there is none until one has. So a program that no plan
// fits spends a few thousand passes on recordings in its life.
//
// As long as no plan has come of the last recording, a planner may still be at work on it. Then the next recording
// is due 30 s after the last one at the earliest, doubled like the other rests, be there a plan or none.
//
// The schedule takes counts and a clock and returns a decision: it never touches the program.
#pragma once

#include <cstdint>

namespace memo::guest {

// Totals over all passes so far.
struct PassCounts {
  bool planned;  // a plan serves, or none is waited for
  std::uint64_t passes;
  std::uint64_t served, served_bytes;
  std::uint64_t missed;  // misses that another plan could avoid
  std::uint64_t
      beyond_plans;  // misses that another plan would have too, such as those without a lane or before any plan
  std::uint64_t missed_bytes;  // bytes of both kinds of misses
};

class Schedule {
 public:
  static constexpr std::uint64_t kWindow = 32;          // passes
  static constexpr std::uint64_t kMostPasses = 64;      // passes of the first recording
  static constexpr std::uint64_t kRest = 16;            // passes of rest for each recorded pass
  static constexpr std::int64_t kLeastRestSeconds = 2;  // after the first recording
  static constexpr std::int64_t kPlanningSeconds = 30;  // after the first recording, until a plan comes of it
  static constexpr std::uint32_t kMostInVain = 6;       // recordings in a row that did not help
  static constexpr std::uint32_t kGoodInARow = 16;      // windows after which a recording has helped

  // Returns true if a window is complete. Any thread may call it; the other functions are for one thread at a
  // time.
  [[nodiscard]] bool has_window(std::uint64_t passes) const {
    return passes - __atomic_load_n(&window_.passes, __ATOMIC_RELAXED) >= kWindow;
  }

  // Judges the window that ends now. Returns true if a recording shall begin.
  [[nodiscard]] bool is_due(const PassCounts& now, std::int64_t seconds);

  // Returns how many passes the present recording may have at most.
  [[nodiscard]] std::uint64_t most_passes() const { return kMostPasses << in_vain_; }

  // Takes note that a recording of `passes` passes has ended: sets the rest, and begins a window without those
  // passes.
  void recorded(std::uint64_t passes, const PassCounts& now, std::int64_t seconds);

  // Begins a new window, and waits for a plan no longer. To be called when another plan serves: earlier counts say
  // nothing about it.
  void begin_window(const PassCounts& now);

 private:
  void begin_window_at(const PassCounts& now);
  [[nodiscard]] bool is_wanted(const PassCounts& now, std::int64_t seconds);

  PassCounts window_{};             // the counts when the present window began
  std::uint32_t bad_windows_ = 0;   // in a row
  std::uint32_t good_windows_ = 0;  // in a row
  std::uint32_t in_vain_ = 0;       // recordings since the last one that helped
  std::uint64_t not_before_passes_ = 0;
  bool waits_for_plan_ = false;        // no plan has come of the last recording yet
  std::int64_t recorded_seconds_ = 0;  // when the last recording ended
  std::int64_t rests_ = 0;             // how many times the least rest follows it
};

}  // namespace memo::guest
