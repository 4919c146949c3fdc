// Mode auto: a program that starts without a plan and gets one while it runs.
//
//   learning ── the plan appears at MEMOMALLOC_PLAN ──► serving
//
// Learning is mode profile, whose trace somebody else plans from meanwhile (`memomalloc run`); serving is mode serve. All
// that is recorded are passes, once one was seen that is marked or hooked, and until then everything: the planner then
// looks for the period. Each thread goes over at its next call, or inside a marked pass at its end.
#pragma once

#include "preload/backend.h"

namespace memo::guest {

extern const Backend kAutoBackend;

}  // namespace memo::guest
