// Finds out whether as many passes as run at once are enough: lets half as many more run in some stretches of time, and compares how
// long a pass takes there and where the limit holds, in pairs of stretches whose order chance decides (paired_test.h).
//
//   a pair    | change … | the limit | change … | half as many more |     the change is over when as many passes have ended as run
//
// Where passes are faster with more of them, because they wait for something else than a processor, the limit becomes that, and is
// tried in turn. Where they are not, it holds, and is tried again later: each time the wait is four times as long. A pair in which no
// pass waited says nothing. Knows no thread: one caller at a time.
#pragma once

#include <cstdint>

#include "runtime/platform/clock.h"
#include "runtime/worth/paired_test.h"

namespace memo::runtime {

class TurnTrial {
 public:
  // How far passes have come.
  struct Passes {
    std::int64_t now;      // nanoseconds
    std::uint32_t ended;   // since the beginning
    std::uint64_t waited;  // likewise, those that waited for their turn
  };

  static constexpr std::int64_t kStretch =
      kSecond / 50;                                // at least, so that the kernel's slices even out in it
  static constexpr std::uint32_t kPassesEach = 4;  // in a stretch, of each that may run
  static constexpr std::int64_t kFirstPause = 60 * kSecond;
  static constexpr std::int64_t kLongestPause = 3600 * kSecond;

  void begin(std::uint32_t limit) {
    limit_ = limit;
    test_.begin_anew();
    forget_pair();
  }

  // Forgets the pair that is under way, as in a copy of the process.
  void forget_pair() { stretch_ = Stretch::kNotBegun; }

  // Takes note of a pass that has ended, and returns how many may run from now on. `chance` is any number that does not hang together
  // with what passes do.
  [[nodiscard]] std::uint32_t limit_after(const Passes& passes, std::uint64_t chance);

  // Returns the limit that holds where nothing is tried.
  [[nodiscard]] std::uint32_t limit() const { return limit_; }

 private:
  enum class Stretch : std::uint8_t { kNotBegun, kChanging, kMeasured };

  [[nodiscard]] std::uint32_t more() const { return limit_ + (limit_ + 1) / 2; }
  [[nodiscard]] bool has_more() const { return (part_ == 0) == more_first_; }
  [[nodiscard]] std::uint32_t may_run() const { return has_more() ? more() : limit_; }
  void begin_pair(const Passes& passes, std::uint64_t chance);
  void change(const Passes& passes);
  void end_stretch(const Passes& passes);
  void end_pair(const Passes& passes);

  PairedTest test_;
  std::uint32_t limit_ = 0;
  std::int64_t pauses_until_ = 0, pause_ = 0;
  Stretch stretch_ = Stretch::kNotBegun;
  std::uint32_t part_ = 0;  // of the pair
  bool more_first_ = false;
  Passes begin_{};
  std::uint64_t waited_before_ = 0;  // the pair
  double took_[2] = {};              // by a pass, with the limit and with more
};

}  // namespace memo::runtime
