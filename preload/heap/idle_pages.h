// How many of its idle pages an arena of the heap keeps: all but those that lay idle throughout a window of time.
//
//   idle pages   ▇▁▇▁▇▂▇▁▇▂▇▁▇▁▇▂▇▁      come and go with what the program does again and again
//   the least    ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁      lay idle all the time: these go back
//
// The window is cut into parts. Each remembers the least that was idle in it, and when the next part begins, what even the least of
// all parts had is given back. So a page goes back once in a window at the most, however often it is freed and wanted again, and an
// idle one is back within the window and one part.
//
// It takes counts and a clock and returns a count: it touches no page. For one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace memo::guest::heap {

class IdlePages {
 public:
  static constexpr std::uint32_t kParts = 8;  // of the window

  // Notes that so many pages are idle `now`, a clock in nanoseconds. Returns how many of them stay.
  std::uint64_t keep(std::uint64_t now, std::uint64_t idle, std::uint64_t window) {
    const std::uint64_t part = now / (window / kParts + 1);
    if (!begun_) begin(part);
    Part& present = parts_[part % kRemembered];
    if (present.number == part) {
      present.least = std::min(present.least, idle);
      return idle;
    }
    const std::uint64_t surplus = part - first_ < kParts ? 0 : least_since(part - kParts, idle);
    for (Part& one : parts_) one.least -= std::min(one.least, surplus);
    present = {part, idle - surplus};
    return idle - surplus;
  }

 private:
  static constexpr std::uint32_t kRemembered = kParts + 1;

  struct Part {
    std::uint64_t number;
    std::uint64_t least;  // pages that were idle in it
  };

  void begin(std::uint64_t part) {
    begun_ = true;
    first_ = part;
  }

  // Leaves out parts without a look: what was idle in them is not known.
  [[nodiscard]] std::uint64_t least_since(std::uint64_t first, std::uint64_t idle) const {
    std::uint64_t least = idle;
    for (const Part& one : parts_)
      if (one.number >= first) least = std::min(least, one.least);
    return least;
  }

  bool begun_ = false;
  std::uint64_t first_ = 0;  // part of the first look
  Part parts_[kRemembered]{};
};

}  // namespace memo::guest::heap
