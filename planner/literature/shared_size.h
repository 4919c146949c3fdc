// shared-size: Pisarchyk & Lee's "Greedy by Size" for shared objects (see shared_objects.h). Takes the largest
// buffer first, and puts each into the smallest object that is free for its whole life, else into a new one; so
// objects never grow.
//
// Cost O(n · objects · log n). No guarantee; the note of the outcome gives the bound for whole objects.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kSharedSize;

}  // namespace memo::planner
