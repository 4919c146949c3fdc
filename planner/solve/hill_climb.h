// hill-climb: the allocator of Arm's Vela and Regor compilers. It places the buffers by first fit in some
// order. Then, again and again, it changes the order around the highest buffer.
//
//     |      +---top---+        The highest buffer ("bottleneck") lies where it lies because of the buffers
//     |   +--+-b-+     |        that pushed it up: its chain is top <- b <- a. Two of them, or of its
//     |   |  a   |-----+        neighbours and their chains, swap their positions; the new plan stays when it is
//     +---+------+--------->    no higher.
//
// The first order is by urgency (the highest sum of live bytes during the life), longer life, earlier birth,
// larger size; it is already strong on real traces. After 25 rounds without gain a second pair swaps, taken
// from the neighbours of the circle. The climb ends at the lower bound, after 99,999 rounds, or 5,000 rounds
// after the last gain once the capacity (if any) is met. A round places all n buffers anew and counts as n
// nodes.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kHillClimb;

}  // namespace memo::planner
