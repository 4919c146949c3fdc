#include "preload/modes/profile/recorder_copy.h"

#include "preload/boundaries/own_stack.h"
#include "preload/log/log.h"
#include "preload/modes/profile/modules.h"
#include "preload/modes/profile/program_pointers.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/profile/thread_log.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

// After fork() the aliases have ended already.
void begin_recorder_as_copy() {
  if (end_aliases())
    log_trouble(
        "this copy of the process was not made by fork(): both have shared the heap until now (--tag=alias)");
  Recorder& recorder = g_recorder;
  recorder.file.forget();
  let_modules_be_written();
  recorder.running.keep(0);
  recorder.first_pass = recorder.passes + 1;
  recorder.overruns = 0;
  recorder.tags_wrapped = 0;
  if (!recorder.follow) stop_recording(nullptr);
}

void keep_own_log_in_copy() {
  keep_own_shadow_in_copy();
  if (t_log != nullptr) t_log->owner = runtime::current_thread();
}

}  // namespace memo::guest
