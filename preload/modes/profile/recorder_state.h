// The state that the parts of the recorder share. recorder.cpp fills it in when the process starts.
#pragma once

#include <cstdint>

#include "preload/boundaries/thread_slots.h"
#include "preload/modes/profile/address_table.h"
#include "preload/modes/profile/event_log.h"
#include "preload/modes/profile/pointer_tag.h"
#include "preload/modes/profile/trace_file.h"
#include "preload/platform/relaxed.h"
#include "runtime/platform/process_lock.h"
#include "runtime/slab/running_passes.h"

namespace memo::guest {

inline constexpr std::uint64_t kMostReports = 10;  // log lines of each kind

struct Recorder {
  AddressTable table;
  TraceFile file;
  ThreadSlots<EventLog> logs;
  PointerTag pointer_tag;  // kNoPointerTag, unless the user asked for one and the kernel granted it
  bool
      tags_new_pointers;  // the program gets tagged pointers; before the copy of a process that ends for aliases
  bool stopped;
  runtime::ProcessLock switching;  // held by the thread that stops or resumes
  bool record_all;
  bool until_marked;  // record_all ends when a pass is marked
  bool keeps_newest;
  bool follow;
  bool data_flow;            // operators say what they read and write
  bool stacks;               // the user asked for stacks, and the unwinder is there
  std::uint32_t pass_limit;  // 0 for no limit
  std::uint32_t threads;
  std::uint32_t passes;  // passes begun, including those over the limit
  runtime::RunningPasses running;
  std::uint32_t first_pass;  // first of this recording; a forked child holds blocks of its parent's passes
  std::uint64_t tags_wrapped;
  std::uint64_t overruns;
  std::uint64_t stale_pointers;
};
extern constinit Recorder g_recorder;

inline bool stopped() {
  return __builtin_expect(read_relaxed(g_recorder.stopped), 0);
}

}  // namespace memo::guest
