// Measures what the recorder takes of the program's time: one call in so many, by the processor's own clock.
//
//   call   · · · · # · · · · # · · ·      # is timed, and stands for all calls since the last timed one
//
// Costs a count for each call and two readings of the counter for a timed one, half a nanosecond on average.
#pragma once

#include <cstdint>

namespace memo::guest {

class OwnCost {
 public:
  // A timed call stands for so many. A prime: programs allocate and free alternately, and both kinds of calls have to be timed.
  static constexpr std::uint32_t kCalls = 61;

  OwnCost();
  ~OwnCost();
  OwnCost(const OwnCost&) = delete;
  OwnCost& operator=(const OwnCost&) = delete;

 private:
  std::uint64_t began_ = 0;  // 0: not timed
};

// Returns the ticks that the recorder has taken so far, on all threads together.
[[nodiscard]] std::uint64_t ticks_of_recorder();

}  // namespace memo::guest
