// Mode auto: a program that starts without a plan, gets one while it runs, and another when that one does not fit any more.
//
//   learning ──── enough recorded ───► planning
//      │                                  │
//      └──── a plan appears ──► serving ◄─┘
//                                │    ▲
//       its passes do not match  ▼    │  enough recorded, or another plan appears
//                             learning again
//
// Learning is mode profile, whose trace somebody else plans from meanwhile (`memomalloc run`); serving is mode serve. What
// is recorded are passes, and where none was seen that is marked or hooked, everything: the planner then looks for the
// period. How much is recorded, and when again, schedule.h says.
//
// All threads record or none does, but each goes over by itself: at its next call outside of passes, and with a pass that
// the arena began at the end of that pass. A block may live through any of it. Frees therefore ask who owns the address
// first: the slab, else the heap, whose blocks the recorder forgets when it is resumed.
#pragma once

#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kAutoBackend;

}  // namespace memo::guest
