// shared-size: Pisarchyk & Lee's "Greedy by Size" for shared objects (see shared_objects.h). Takes the largest
// buffer first, and puts each into the oldest object that is free for its whole life, else into a new one; so
// objects never grow. The paper's text wants the smallest free object, but its table has the heights of this rule.
//
// Cost O(n · objects · log n). No guarantee; the note of the outcome gives the bound for whole objects.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kSharedSize;

}  // namespace memo::planner
