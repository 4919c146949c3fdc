// Runs work at the lowest priority, so that it does not hold up the program beside it. The lowest priority
// still gets some processor time: with SCHED_IDLE the work would never end beside programs that never rest.
#pragma once

#include <chrono>

#include "planner/system/child.h"

namespace memo::process {

// Gives this process, and all that it starts later, the lowest priority. Allocates nothing: it is called
// between fork and exec.
void come_last();

// Lowers this process's session to a tenth of the processor share of any other session, if this process leads
// its session. The scheduler may first divide the processors among sessions, and apply priorities only within
// each session (sched(7), autogroups): there, the lowest priority in a session of its own still gets as much as
// the whole program. The share is not less than a tenth because the session competes with all programs of the
// machine, not only with the one beside it.
void let_own_session_step_back();

// Restores the usual share of this process's session.
void let_own_session_come_back();

// Returns true for less than a third of a processor. So work of 3 s that never starves is done in 9 s.
[[nodiscard]] bool is_starving(std::chrono::nanoseconds used, std::chrono::nanoseconds in);

// Waits for the end of a child that runs at the lowest priority, and returns true. Returns false as soon as the
// child has starved for a second: other programs then leave it next to nothing. The caller must wait for the
// child in both cases.
[[nodiscard]] bool ends_without_starving(const Child& child);

}  // namespace memo::process
