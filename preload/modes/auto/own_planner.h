// Mode auto with environment variables alone: the library starts its own planner, `memomalloc learn`, and
// chooses the path of the plan. Where MEMOMALLOC_TRACE names a trace, another process plans, and this file does
// nothing.
//
//   $TMPDIR/memomalloc.PID.RANDOM/   the traces; the planner removes the folder when the program has ended
//   the user's cache                 the plan, under the name that `memomalloc run` gives it too
//
// A forked child inherits the names, and the planner serves the whole process tree: the one that makes
// the folder starts the planner, and the others find the folder there. The planner ends, and removes the
// folder, when that process has ended and no other one holds the claim to record (recording_claim.h). One that
// wants to record later finds no folder, and makes it and starts a planner anew.
//
// The library creates no folder and starts no planner before there is something to record. The shells and tools
// around a server, which load the library too, and a server whose plan fits never reach that point.
#pragma once

namespace memo::guest {

// Sets the options for the paths of the trace and of the plan. To be called before modes profile and serve
// start.
void arrange_own_learning();

// Returns true if a planner runs, the library's own or another; the first call starts the library's own. To be
// asked before anything is recorded. Returns false while another thread starts the planner, and if it could not
// be started.
[[nodiscard]] bool has_planner();

// Takes note that the work folder is not there. Returns true if that means that the library's own planner has
// ended, so that has_planner() will start another one.
[[nodiscard]] bool planner_has_ended();

// Looks anew for the planner, in a forked child.
void look_for_planner_in_copy();

// Returns true if the planner could not be started; the log has a line about it.
[[nodiscard]] bool no_planner();

// Keeps this process from the plan, and lets it have the plan after all: it then looks for it from time to time.
void withhold_plan();
void watch_withheld_plan();

}  // namespace memo::guest
