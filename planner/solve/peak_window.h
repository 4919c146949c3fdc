// Packs the surroundings of the peak without a gap, for strategies that place everything else afterwards.
//
//   address      window             At the peak a plan as high as the bound has no byte to spare, and pushing buffers
//     ^   |   | d |    | e |   |    about does not find such a plan. But most buffers that are alive there live through
//     |   +---+---+----+---+---+    the whole window. They are one block to the exact search, which is left with the few
//     |   |      c1        |        hundred that begin or end in the window.
//     |   +--+-------------+---+
//     |   |  |        c2       |    The block is then cut into its buffers (c1, c2). Those that were born last lie lowest,
//     |   +--+-----------------+    those that die first lie highest. So what becomes free on a side of the window is
//     |       | f |  | g |          one gap that grows, not many.
//
// The wider the window, the more room there is at its edges for what comes next. It holds as many buffers as the search
// mostly places without a second try.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/placing/strategy.h"

namespace memo::planner {

struct PeakWindow {
  struct Place {
    BufferIndex buffer;
    Offset offset;
  };
  std::vector<Place> places;  // of all buffers that are alive in the window; empty where no plan was found
  std::uint64_t nodes = 0;    // that the search took
};

// Looks for a plan of the window below `height`. Finds none for a problem with fixed places, or with alignments of which one
// does not divide the largest.
[[nodiscard]] PeakWindow pack_peak_window(const Problem& problem, Bytes height, const Limits& limits);

}  // namespace memo::planner
