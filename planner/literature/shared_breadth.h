// shared-breadth: Pisarchyk & Lee's "Greedy by Breadth" for shared objects (see shared_objects.h). The broadest
// moments choose first (see greedy_breadth.h): the smallest free object that is large enough, else the largest free
// one, which grows, else a new one. Of equally broad moments the later one chooses first, and of equally large
// buffers the one born later: the paper's table has the heights of these ties.
//
// Cost O(n · objects · log n). No guarantee; the note of the outcome gives the bound for whole objects.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kSharedBreadth;

}  // namespace memo::planner
