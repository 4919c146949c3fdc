// Finds places for one buffer among placed ones: the tightest gap, or the window whose buffers are the least loss.
//
//   address   | b |     |
//     ^       +---+     |      Where no gap holds x, something must leave. The loss of a window is the weight of
//     |       |   x?|   |      the buffers that reach into it. A window begins where a buffer ends, or ends where
//     |   +---+-+---+ c |      one begins: any other can be moved to such a place without more loss.
//     |   |  a  |   +---+
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "planner/placing/placed_buffers.h"

namespace memo::planner {

// Whole numbers, so that sums and differences of weights are exact.
using Weight = std::int64_t;

// A loss of one buffer that must stay is worse than that of all others.
struct Loss {
  std::int64_t fixed = 0;
  Weight weight = 0;
  auto operator<=>(const Loss&) const = default;
};

struct Window {
  Offset begin;
  Loss loss;
};

// What is asked for: a place of this size and alignment below `height`.
struct Wish {
  Bytes size;
  Bytes alignment;
  Bytes height;
};

class Windows {
 public:
  // Both answer for buffers in the order of their begins.
  [[nodiscard]] static std::optional<Offset> tightest_gap(std::span<const PlacedBuffers::Extent> placed,
                                                          const Wish& wish);
  // Returns the window of least loss; nothing where the buffer is larger than the height. `losses` is by buffer.
  [[nodiscard]] std::optional<Window> cheapest(std::span<const PlacedBuffers::Extent> placed,
                                               std::span<const Loss> losses, const Wish& wish);

 private:
  std::vector<PlacedBuffers::Extent> by_end_;
  std::vector<PlacedBuffers::Extent> spare_;
};

}  // namespace memo::planner
