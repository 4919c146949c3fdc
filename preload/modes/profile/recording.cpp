#include "preload/modes/profile/recording.h"

#include "preload/log/log.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/route/route.h"
#include "runtime/platform/lock_order.h"

namespace memo::guest {
namespace {

// Holds the lock under which `stopped` and the watched addresses change together. Held for some stores, or a
// few calls of madvise.
class Switching {
 public:
  Switching() : holds_(take()) {}
  ~Switching() {
    if (!holds_) return;
    runtime::note_given_back(runtime::Lock::kRecording);
    g_recorder.switching.unlock();
  }
  Switching(const Switching&) = delete;
  Switching& operator=(const Switching&) = delete;

 private:
  static bool take() {
    runtime::expect_may_wait_for(runtime::Lock::kRecording);
    const bool taken = g_recorder.switching.lock();
    if (taken) runtime::note_taken(runtime::Lock::kRecording);
    return taken;
  }

  const bool holds_;
};

void stop_alone(const char* reason) {
  if (__atomic_exchange_n(&g_recorder.stopped, true, __ATOMIC_SEQ_CST)) return;
  if (reason != nullptr) log_trouble("the trace ends here: ", reason, "; the program goes on");
  if (g_recorder.pointer_tag.bits != 0) return;  // the program goes on freeing tagged pointers
  watch_only_those_addresses();
}

}  // namespace

[[gnu::cold, gnu::noinline]] void stop_only(std::uint32_t recording) {
  const Switching alone;
  if (g_recorder.file.number() == recording) stop_alone(nullptr);
}

[[gnu::cold, gnu::noinline]] void stop_recording(const char* reason) {
  const Switching alone;
  stop_alone(reason);
}

bool resume_recording() {
  Recorder& recorder = g_recorder;
  const Switching alone;
  if (!recorder.file.try_forget()) return false;
  recorder.table.forget();
  recorder.running.keep(0);
  write_relaxed(recorder.first_pass, read_relaxed(recorder.passes) + 1);
  watch_everything();
  // The order matters: a thread that claims a block in the new epoch sees that `stopped` is false, and so does
  // the thread that frees that block.
  __atomic_store_n(&recorder.stopped, false, __ATOMIC_SEQ_CST);
  recorder.table.begin_anew();
  return true;
}

void forget_blocks() {
  const Switching alone;
  if (stopped()) g_recorder.table.forget();
}

std::uint64_t recorder_table_bytes() {
  return g_recorder.table.bytes_in_use();
}

bool is_recording() {
  return !stopped();
}

std::uint32_t passes_recorded() {
  return read_relaxed(g_recorder.passes) + 1 - read_relaxed(g_recorder.first_pass);
}

void record_all_until_marked() {
  write_relaxed(g_recorder.until_marked, true);
  write_relaxed(g_recorder.record_all, true);
}

void record_passes_alone() {
  write_relaxed(g_recorder.record_all, false);
}

}  // namespace memo::guest
