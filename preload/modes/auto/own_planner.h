// Mode auto by variables alone: the program brings its own planner, `memomalloc learn`, and knows by itself where its plan
// is kept. Where MEMOMALLOC_TRACE says where to record to, somebody else plans, and none of this happens.
//
//   $TMPDIR/memomalloc.PID.RANDOM/     the traces, for the planner, which removes them and itself after the program
//   the user's cache                   the plan, by the name that `memomalloc run` gives it, too
//
// Nothing is made and nobody is started before there is something to plan from: the shells and tools around a server, which
// load the library as well, and a server whose plan fits, never come so far.
#pragma once

namespace memo::guest {

// Before the modes that it is made of start: says where they record to and find their plan.
void arrange_own_learning();

// To be asked before anything is recorded: starts the planner the first time. False while another thread is at that, and
// where there is none.
[[nodiscard]] bool has_planner();

// Where there was none to be had, which was said.
[[nodiscard]] bool no_planner();

}  // namespace memo::guest
