#include "preload/modes/profile/workers.h"

#include "preload/modes/profile/thread_log.h"

namespace memo::guest {

[[gnu::cold, gnu::noinline]] void move_worker_on(std::uint32_t latest) {
  EventLog* log = own_log();
  if (log == nullptr || log->busy) return;
  log->flush(g_recorder.file);
  log->works_for = latest;
}

}  // namespace memo::guest
