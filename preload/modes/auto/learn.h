// Mode auto: a program starts without a plan, gets one while it runs, and gets another when its passes no
// longer match.
//
//   learning ──── enough recorded ───► planning
//      │                                  │
//      └──── a plan appears ──► serving ◄─┘
//                                │    ▲
//       its passes do not match  ▼    │  enough recorded, or another plan appears
//                             learning again
//
// Learning is mode profile, with a planner in another process that reads the trace (own_planner.h, or
// `memomalloc run`); serving is mode serve. The recorder records passes. Where no marked or hooked pass was
// seen, it records everything, and the planner looks for the period. schedule.h decides how much to record, and
// when to record again.
//
// Recording costs little of the program's time: it rests (price.h), and a program that nothing marks is recorded in stretches,
// each with a trace of its own. Marked passes win: where some begin, those that were found by their period give way.
//
// Of a server and its workers one process at a time records (recording_claim.h). A process that waits for the
// claim is in the state of learning, but begins no recorded pass, so the trace gets nothing.
//
// Either all threads record or none does, but each thread switches by itself: at its next call outside of
// passes, or, if it runs a pass that the arena began, at the end of that pass. Blocks may live across such
// switches. A free therefore first asks who owns the address: the slab, or else the heap. The recorder forgets
// the heap's blocks when it is resumed.
//
//   learn.cpp       what the program's calls do     recordings.h       what begins and ends a recording
//   passes.h        what its passes do              own_claim.h        this process's claim to record
//   looks.h         when a thread looks around      pass_counts.h      what the plans are worth so far
//   learning.h      the state                       schedule.h         when another recording is due
//   stranger.h      the program, or a stranger      price.h            what recording may cost
//   kept_worth.h    what serving was worth before   unused_plan.h      a plan whose passes never begin
#pragma once

#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kAutoBackend;

}  // namespace memo::guest
