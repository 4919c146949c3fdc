// Mode profile: every allocation of a pass, its lifetime and its operator, goes to the trace.
//
// Blocks come from the plain heap, eight bytes longer than asked for: a canary behind the last byte, looked at when
// the block is freed, shows overruns. What else is known of a block lies beside the heap (address_table.h), so a
// block stays an ordinary one: recording can stop at any time and everything goes on at the speed of mode off.
#pragma once

#include "preload/boundaries/boundary.h"
#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kProfileBackend;
extern const BoundarySink kRecorderSink;

// Records what is outside of passes, too, until a pass begins that is marked or hooked. After start(), at any time.
void record_all_until_marked();

// The file is open and knows what is mapped; false where there is none to be had.
bool prepare_trace();

// Ends the recording, for good unless it is resumed, and says why where there is a reason to say. Safe from any thread,
// any number of times.
void stop_recording(const char* reason);

// After a stop, from one thread: records once more, into a trace of its own. Blocks of the recording before are the heap's,
// and passes that run now are not recorded. False, with nothing changed, while somebody still writes to the trace before.
[[nodiscard]] bool resume_recording();

// After a stop: gives back what was kept beside the heap. memo_identify knows no block any more.
void forget_blocks();

// False once it has stopped, by itself or not.
[[nodiscard]] bool is_recording();

// What the recorder holds beside its threads' events.
std::uint64_t recorder_table_bytes();

// Passes begun in the present recording.
[[nodiscard]] std::uint32_t passes_recorded();

}  // namespace memo::guest
