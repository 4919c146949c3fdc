// When the heap shall give back what passes left idle in it.
//
// The heap beside the slab gives nothing back by itself: a pass that falls back wants the same memory with the next
// request. But what no pass wants any more should not lie beside a slab that serves them all. So each lane looks at how
// its passes went.
//
// - The passes of a warm-up do not match the plan. They are few, and ask for much more than they hold at once: the heap
//   gives back within them, step by step, and after them. So neither their garbage nor the slab comes on top.
// - Later it gives back once the plan has served a row of passes after one that it did not, and each time the row must
//   be longer. So traffic that comes and goes pays for its pages ever more seldom, and a plan that never fits not at all.
#pragma once

#include <cstdint>

namespace memo::runtime {

class IdleHeap {
 public:
  constexpr IdleHeap() = default;
  constexpr explicit IdleHeap(std::uint64_t lane_bytes)
      : much_(lane_bytes / 4 > kLeastStep ? lane_bytes / 4 : kLeastStep) {}

  // The heap provides for a pass. True: give back first.
  constexpr bool provide(std::uint64_t bytes) {
    if (warm_up_left_ == 0) return false;
    since_given_back_ += bytes;
    if (since_given_back_ <= much_) return false;
    since_given_back_ = 0;
    return true;
  }

  // A pass has ended, for which the heap had provided so much. True: give back now.
  constexpr bool pass_ended(std::uint64_t fallback_bytes) {
    return fallback_bytes > much_ ? after_fallback() : after_served_pass();
  }

 private:
  static constexpr std::uint64_t kLeastStep = std::uint64_t{1} << 20;
  static constexpr std::uint32_t kLongestRow = std::uint32_t{1} << 20;

  constexpr bool after_fallback() {
    in_use_ = true;
    served_in_row_ = 0;
    if (warm_up_left_ == 0) return false;
    --warm_up_left_;
    return true;
  }

  constexpr bool after_served_pass() {
    if (!in_use_ || ++served_in_row_ < row_wanted_) return false;
    in_use_ = false;
    row_wanted_ = row_wanted_ < kLongestRow ? 4 * row_wanted_ : kLongestRow;
    return true;
  }

  std::uint64_t much_ = kLeastStep;
  std::uint64_t since_given_back_ = 0;
  std::uint32_t warm_up_left_ = 8;  // passes
  std::uint32_t served_in_row_ = 0;
  std::uint32_t row_wanted_ = 1;
  bool in_use_ = true;  // since the heap gave back last; at first by what loaded the model
};

}  // namespace memo::runtime
