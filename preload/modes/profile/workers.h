// Threads without a pass of their own. They work for the pass that began last and runs, and what they allocate
// meanwhile is recorded as part of it.
#pragma once

#include <cstdint>

#include "preload/modes/profile/event_log.h"
#include "preload/modes/profile/recorder_state.h"

namespace memo::guest {

// Notes that another pass has begun, or the last one is over, since the thread's last allocation. Flushes the
// events of the thread's work so far: the thread may never allocate again.
void move_worker_on(std::uint32_t latest);

// Notices that a thread without a pass of its own now works for another pass. Costs two loads and a compare.
inline void follow_running_passes(const EventLog* log) {
  const std::uint32_t latest = g_recorder.running.latest();
  if (log == nullptr ? latest != 0 : log->pass == 0 && log->works_for != latest) move_worker_on(latest);
}

}  // namespace memo::guest
