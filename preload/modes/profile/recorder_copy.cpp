#include "preload/modes/profile/recorder_copy.h"

#include "preload/boundaries/own_stack.h"
#include "preload/modes/profile/modules.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/profile/thread_log.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

void begin_recorder_as_copy() {
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
