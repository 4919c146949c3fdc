// The trace from its first block to its last.
#pragma once

namespace memo::guest {

// Opens the trace, if it is not open, and writes the list of modules, if it has changed. Returns false if the
// trace cannot be opened.
bool prepare_trace();

// Completes the trace when the process ends. Other threads may still run: the calling thread writes the events
// that they have recorded so far.
void finish_trace();

}  // namespace memo::guest
