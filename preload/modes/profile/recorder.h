// Mode profile: the recorder writes every allocation of a pass, with its lifetime and its operator, to the
// trace.
//
// Blocks come from the plain heap, as large as the program asked for. What their size class has to spare holds a canary,
// which the recorder checks when the program frees the block: it shows overruns. All other facts about a block lie
// beside the heap (address_table.h), so a block stays an ordinary one: recording can stop at any time, and the
// program goes on at the speed of mode off.
//
//   recorded_blocks.h   what the program's calls do          recorder_sink.h   passes and scopes
//   block_events.h      one block's begin and end            thread_log.h      each thread's buffer of events
//   canary.h            the bytes after it                   trace_life.h      the trace's begin and end
//   program_pointers.h  tags in the program's pointers       recording.h       stopping, and recording once more
#pragma once

#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kProfileBackend;
}  // namespace memo::guest
