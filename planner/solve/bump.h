// bump: plans like an arena that is emptied between passes. Each buffer goes above the one born before it, and
// the arena starts again from 0 whenever nothing is alive.
//
//     |        +-c-+       |
//     |    +--b--+         |  +-e-+
//     | +-a-+              +-d-+          a b c | d e: nothing lives at the line
//     +--------------------------------> time
//
// Cost O(n log n). Height: the largest sum of sizes between two such moments. It reuses nothing else, so all
// other strategies are compared with it.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kBump;

}  // namespace memo::planner
