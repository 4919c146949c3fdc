// Mode profile: the recorder writes every allocation of a pass, with its lifetime and its operator, to the
// trace.
//
// Blocks come from the plain heap, eight bytes longer than the program asked for. These hold a canary, which
// the recorder checks when the program frees the block: it shows overruns. All other facts about a block lie
// beside the heap (address_table.h), so a block stays an ordinary one: recording can stop at any time, and the
// program goes on at the speed of mode off.
#pragma once

#include "preload/boundaries/boundary.h"
#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kProfileBackend;
extern const BoundarySink kRecorderSink;

// Records allocations outside of passes too, until a marked or hooked pass begins. To be called after start(),
// at any time.
void record_all_until_marked();

// Records no allocations outside of passes from now on.
void record_passes_alone();

// Opens the trace, if it is not open, and writes the list of modules, if it has changed. Returns false if the
// trace cannot be opened.
bool prepare_trace();

// Ends the recording until resume_recording(), and logs the reason unless it is null. Safe from any thread, any
// number of times.
void stop_recording(const char* reason);

// Records once more after a stop, into a new trace. To be called by one thread. The recorder no longer knows
// the blocks of the previous recording, and does not record passes that run now. Returns false, with nothing
// changed, while a thread still writes to the previous trace.
[[nodiscard]] bool resume_recording();

// Gives the memory of the address table back, after a stop. memo_identify finds no block any more.
void forget_blocks();

// Returns false after the recording has stopped, for whatever reason.
[[nodiscard]] bool is_recording();

// Returns the bytes of the address table. The buffers of the threads' events are not included.
std::uint64_t recorder_table_bytes();

// Returns how many passes have begun in the present recording.
[[nodiscard]] std::uint32_t passes_recorded();

}  // namespace memo::guest
