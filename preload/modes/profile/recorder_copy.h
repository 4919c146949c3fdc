// The recorder in a copy of the process.
#pragma once

namespace memo::guest {

// Lets go of the parent's file. The copy stops recording, or begins a trace of its own. The pass that it may be
// in stays in the parent's trace, and so do the events that its thread has not written yet: present_log()
// empties the log.
void begin_recorder_as_copy();

// Keeps the log and the shadow stack of the thread that was copied.
void keep_own_log_in_copy();

}  // namespace memo::guest
