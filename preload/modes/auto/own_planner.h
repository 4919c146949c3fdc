// Mode auto with environment variables alone: the library starts its own planner, `memomalloc learn`, and
// chooses the path of the plan. Where MEMOMALLOC_TRACE names a trace, another process plans, and this file does
// nothing.
//
//   $TMPDIR/memomalloc.PID.RANDOM/   the traces; the planner removes the folder when the program has ended
//   the user's cache                 the plan, under the name that `memomalloc run` gives it too
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

// Returns true if the planner could not be started; the log has a line about it.
[[nodiscard]] bool no_planner();

}  // namespace memo::guest
