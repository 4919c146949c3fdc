// The log of the calling thread: made at the thread's first event, emptied when another trace has begun.
#pragma once

#include <cstdint>

#include "preload/modes/profile/event_log.h"
#include "preload/modes/profile/recorder_state.h"

namespace memo::guest {

extern thread_local constinit EventLog* t_log __attribute__((tls_model("initial-exec")));

// Makes the thread's log. Returns null, and stops the recording, where there is no memory for it.
EventLog* make_log();

// Returns the thread's log, or null before its first event. Empties a log that was for an earlier trace: only
// its own thread does that.
inline EventLog* present_log() {
  EventLog* log = t_log;
  const std::uint32_t file = g_recorder.file.number();
  if (log != nullptr && __builtin_expect(log->file != file, 0)) log->begin_anew(file);
  return log;
}

// Returns the thread's log, and makes one if there is none.
inline EventLog* own_log() {
  EventLog* log = present_log();
  return log != nullptr ? log : make_log();
}

// Returns true if the thread's allocations are recorded: in a pass, for a pass of another thread, or all.
inline bool is_recorded(const EventLog* log) {
  return log != nullptr && (log->pass != 0 || log->works_for != 0 || read_relaxed(g_recorder.record_all));
}

}  // namespace memo::guest
