// Work that must not hold up the program beside it: at the lowest priority. Others come first, but not always: with a
// policy for idle time alone it would never come to an end beside programs that never rest.
#pragma once

#include "planner/system/child.h"

namespace memo::process {

// This process, and those it starts. No allocation: it is called between fork and exec.
void come_last();

// Where this process leads a session: a tenth of the session of any other program that needs the processor. The scheduler may
// share the processors out among sessions first, and by priority only within each (sched(7), autogroups): in a session of its
// own even the lowest priority has as much as all of the program. Not less than a tenth: other than within the program's
// session, all programs of the machine compete here.
void let_own_session_step_back();

// Undoes that.
void let_own_session_come_back();

// Waits for the end of a child at the lowest priority, and returns true. Returns false as soon as it has had less than a quarter of
// a processor for a second: other programs leave it next to nothing. The child has still to be waited for.
[[nodiscard]] bool ends_without_starving(const Child& child);

}  // namespace memo::process
