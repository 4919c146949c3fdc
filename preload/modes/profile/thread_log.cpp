#include "preload/modes/profile/thread_log.h"

#include "preload/modes/profile/recording.h"

namespace memo::guest {

thread_local constinit EventLog* t_log __attribute__((tls_model("initial-exec"))) = nullptr;

[[gnu::cold, gnu::noinline]] EventLog* make_log() {
  bool inherited = false;
  EventLog* log = g_recorder.logs.take(inherited);
  if (log == nullptr) {
    stop_recording("there is no memory for another thread's events");
    return nullptr;
  }
  if (inherited) {
    log->busy = false;
    log->flush(g_recorder.file);
    if (log->pass != 0 && log->file == g_recorder.file.number()) g_recorder.running.end();
  }
  log->begin_anew(g_recorder.file.number());
  log->number = count_up(g_recorder.threads);
  t_log = log;
  return log;
}

}  // namespace memo::guest
