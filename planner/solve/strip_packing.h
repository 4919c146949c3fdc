// strip-packing: the best-fit heuristic of Burke et al. for strips, applied to memory by Sekiyama et al.: time
// is the width of the strip, and the skyline is the height up to which it is filled at each moment.
//
//     |        +-----+
//     |  +-----+     +--+      Take the lowest stretch of the skyline (the leftmost of several). Of the buffers
//     |  |             |       that live within it, put down the longest-lived (then the first), on the
//     +--+     . . .   +--     stretch. If none fits, raise the stretch to its lower neighbour.
//        ^ lowest stretch
//     +---------------------> time
//
// It is often the best of the simple heuristics. Cost: 2n steps, each O(log n) and one search for the buffer,
// which prunes well but is O(n) at worst. No guarantee.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kStripPacking;

// Says which of two equally long-lived buffers comes first. The first born gives the heights of Pisarchyk & Lee's
// table.
enum class EquallyLong { kFirstBorn, kLargest };

// Returns the plan of strip-packing. No buffer may have a fixed place.
[[nodiscard]] Offsets pack_strip(const Problem& problem, EquallyLong ties);

}  // namespace memo::planner
