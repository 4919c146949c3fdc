#include "preload/modes/profile/event_log.h"

#include "preload/modes/profile/recording.h"
#include "preload/modes/profile/trace_file.h"
#include "preload/modes/profile/trace_life.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

[[gnu::cold, gnu::noinline]] void EventLog::flush(TraceFile& to) {
  if (used == 0) return;
  busy = true;
  const bool settled = runtime::is_settled_here();
  const TraceFile::Use use(to);
  const bool written =
      !settled || !use.is_of(file) ||
      (prepare_trace() && to.append(trace::BlockKind::kEvents, number, sequence, lost, events, used));
  if (!written) stop_recording(to.failure());
  __atomic_store_n(&used, 0U, __ATOMIC_RELAXED);
  __atomic_store_n(&sequence, sequence + 1, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  busy = false;
}

void EventLog::begin_anew(std::uint32_t its_file) {
  busy = true;
  __atomic_store_n(&used, 0U, __ATOMIC_RELAXED);
  __atomic_store_n(&sequence, std::uint64_t{0}, __ATOMIC_RELAXED);
  __atomic_store_n(&lost, std::uint64_t{0}, __ATOMIC_RELAXED);
  __atomic_store_n(&file, its_file, __ATOMIC_RELEASE);
  pass = 0;
  works_for = 0;
  scope_depth = 0;
  busy = false;
}

void EventLog::flush_from_outside(TraceFile& to, std::uint64_t* copy) const {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::uint64_t before = __atomic_load_n(&sequence, __ATOMIC_ACQUIRE);
    const std::uint32_t bytes = __atomic_load_n(&used, __ATOMIC_ACQUIRE);
    for (std::uint32_t i = 0; i < bytes / sizeof *copy; ++i) {
      copy[i] = __atomic_load_n(&events[i], __ATOMIC_RELAXED);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&sequence, __ATOMIC_RELAXED) != before) continue;
    const std::uint64_t lost_until_now = __atomic_load_n(&lost, __ATOMIC_RELAXED);
    if (bytes > 0) to.append(trace::BlockKind::kEvents, number, before, lost_until_now, copy, bytes);
    return;
  }
}

}  // namespace memo::guest
