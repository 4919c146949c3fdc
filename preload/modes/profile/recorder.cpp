#include "preload/modes/profile/recorder.h"

#include <cstdint>
#include <cstring>

#include "preload/boundaries/own_stack.h"
#include "preload/boundaries/sink.h"
#include "preload/hooks/hooks.h"
#include "preload/log/log.h"
#include "preload/modes/profile/data_flow.h"
#include "preload/modes/profile/modules.h"
#include "preload/modes/profile/program_pointers.h"
#include "preload/modes/profile/recorded_blocks.h"
#include "preload/modes/profile/recorder_sink.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/profile/thread_log.h"
#include "preload/modes/profile/trace_life.h"
#include "preload/options/options.h"
#include "runtime/platform/loader.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

constinit Recorder g_recorder{};

namespace {

// Lets go of the parent's file. The copy stops recording, or begins a trace of its own. The pass that it may be
// in stays in the parent's trace, and so do the events that its thread has not written yet: present_log()
// empties the log.
void begin_recorder_as_copy() {
  // After fork() the aliases have ended already.
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

// Keeps the log and the shadow stack of the thread that was copied.
void keep_own_log_in_copy() {
  keep_own_shadow_in_copy();
  if (t_log != nullptr) t_log->owner = runtime::current_thread();
}

void prepare_heap() {
  if (std::strcmp(option_text(GuestOptionId::kTag), "alias") == 0) start_aliases();
}

void before_fork() {
  if (end_aliases() && g_recorder.file.is_open()) say_that_aliases_ended();
  runtime::hold_visits_for_fork();
}

// Ends the aliases where the recorder does not start: nothing else would, before a fork.
bool start() {
  Recorder& recorder = g_recorder;
  if (!recorder.table.start()) {
    log_trouble("no address space for the recorder's table; running in mode off");
    end_aliases();
    return false;
  }
  constexpr std::uint64_t kMebibyte = 1U << 20;
  recorder.keeps_newest = std::strcmp(option_text(GuestOptionId::kKeep), "newest") == 0;
  recorder.file.configure(option_text(GuestOptionId::kTrace),
                          option_number(GuestOptionId::kTraceLimit) * kMebibyte,
                          recorder.keeps_newest ? TraceFile::Keep::kNewest : TraceFile::Keep::kFirst);
  recorder.pass_limit = static_cast<std::uint32_t>(option_number(GuestOptionId::kPasses));
  recorder.record_all =
      std::strcmp(option_text(GuestOptionId::kRecord), "all") == 0 || passes_may_come_by("period");
  recorder.follow = std::strcmp(option_text(GuestOptionId::kFollow), "1") == 0;
  recorder.stacks = std::strcmp(option_text(GuestOptionId::kStacks), "1") == 0;
  recorder.data_flow = std::strcmp(option_text(GuestOptionId::kDataFlow), "1") == 0;
  if (std::strcmp(option_text(GuestOptionId::kTag), "hardware") == 0) start_hardware_tag();
  recorder.first_pass = 1;
  set_boundary_sink(&kRecorderSink);
  start_hooks();
  watch_everything();
  return true;
}

}  // namespace

constexpr Backend kProfileBackend{
    .first_route = Route::kRecorded,
    .before_heap = prepare_heap,
    .start = start,
    .allocate = allocate_recorded,
    .reallocate = reallocate_recorded,
    .release = release_recorded,
    .usable_size = usable_size_recorded,
    .before_fork = before_fork,
    .after_fork_in_parent = runtime::allow_visits_after_fork,
    .begin_as_copy = begin_recorder_as_copy,
    .keep_own_in_copy = keep_own_log_in_copy,
    .identify = identify_recorded,
    .note_data_flow = note_data_flow,
    .finish = finish_trace,
};

}  // namespace memo::guest
