// Decides whether the recorder records, and what. Any thread may ask and change that, at any time.
#pragma once

#include <cstdint>

namespace memo::guest {

// Records allocations outside of passes too, until a marked or hooked pass begins. To be called after the start
// of mode profile, at any time.
void record_all_until_marked();

// Records no allocations outside of passes from now on.
void record_passes_alone();

// Ends the recording until resume_recording(), and logs the reason unless it is null. Safe from any thread, any
// number of times.
void stop_recording(const char* reason);

// Stops the recording only if it is still the one of this number (TraceFile::number()): the calling thread may
// have slept while that recording ended and another began, which it must not stop.
void stop_only(std::uint32_t recording);

// Records once more after a stop, into a new trace. To be called by one thread. The recorder no longer knows
// the blocks of the previous recording, and does not record passes that run now. Returns false, with nothing
// changed, while a thread still writes to the previous trace.
[[nodiscard]] bool resume_recording();

// Gives the memory of the address table back, after a stop. memo_identify finds no block any more.
void forget_blocks();

// Returns false after the recording has stopped, for whatever reason.
[[nodiscard]] bool is_recording();

// Returns the bytes of the address table. The buffers of the threads' events are not included.
[[nodiscard]] std::uint64_t recorder_table_bytes();

// Returns how many passes have begun in the present recording.
[[nodiscard]] std::uint32_t passes_recorded();

}  // namespace memo::guest
