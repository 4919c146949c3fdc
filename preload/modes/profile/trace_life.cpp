#include "preload/modes/profile/trace_life.h"

#include <cstdint>
#include <cstring>

#include "preload/modes/profile/modules.h"
#include "preload/modes/profile/program_pointers.h"
#include "preload/modes/profile/python_interpreter.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/stacks.h"
#include "preload/modes/profile/trace_file.h"
#include "preload/options/options.h"
#include "preload/platform/platform.h"
#include "runtime/formats/trace_format.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/copies.h"

namespace memo::guest {
namespace {

constexpr std::size_t kLongestCommand = 4096;  // bytes

struct ProcessBlock {
  trace::ProcessRecord record;
  char command[kLongestCommand];
};

bool open_and_begin(TraceFile& file, std::uint32_t flags) {
  if (!file.ensure_open()) return false;
  ProcessBlock block{};
  block.record = {static_cast<std::uint32_t>(platform::process_id()),
                  static_cast<std::uint32_t>(platform::parent_process_id()), flags,
                  static_cast<std::uint32_t>(platform::read_own_command(block.command, kLongestCommand))};
  return file.append(trace::BlockKind::kProcess, 0, 0, 0, &block,
                     sizeof block.record + trace::padded(block.record.command_bytes));
}

// Opens the file and writes the process record, unless that is done; `flags` as in ProcessRecord. Returns false
// if the file cannot be opened.
bool open_trace(TraceFile& file, std::uint32_t flags) {
  return file.is_open() || runtime::on_spare_stack([&] { return open_and_begin(file, flags); });
}

void write_end(TraceFile& file, const trace::EndRecord& record) {
  file.append(trace::BlockKind::kEnd, 0, 0, 0, &record, sizeof record);
}

// Bytes of the events of 64 blocks: fewer blocks show no period.
constexpr std::uint32_t kWorthATrace = 64 * (sizeof(trace::AllocateEvent) + sizeof(trace::FreeEvent));

bool has_events_worth_a_trace() {
  for (const EventLog* log = g_recorder.logs.first(); log != nullptr; log = log->next)
    if (read_relaxed(log->used) >= kWorthATrace) return true;
  return false;
}

// Opens the trace for a short program. Where no pass begins, only a full buffer opens the trace otherwise.
// Returns true if the buffers hold enough to plan from, and the trace is open. Not in mode auto: there no
// planner would read it any more.
bool opens_for_a_short_program() {
  return read_relaxed(g_recorder.record_all) && option_mode() == Mode::kProfile && !stopped() &&
         has_events_worth_a_trace() && prepare_trace();
}

}  // namespace

bool prepare_trace() {
  const bool first = !g_recorder.file.is_open();
  const std::uint32_t flags = (read_relaxed(g_recorder.record_all) ? trace::kRecordsAll : 0) |
                              (g_recorder.keeps_newest ? trace::kKeepsNewest : 0);
  if (!open_trace(g_recorder.file, flags)) return false;
  if (first && addresses_are_parted()) say_that_aliases_ended();
  if (first && g_recorder.stacks) g_recorder.stacks = open_unwinder();
  if (g_recorder.stacks) look_for_python();
  write_modules_if_changed(g_recorder.file);
  return true;
}

void finish_trace() {
  Recorder& recorder = g_recorder;
  if (!runtime::is_settled_here()) return;
  if (!recorder.file.is_open() && !opens_for_a_short_program()) return;
  const bool was_stopped = __atomic_exchange_n(&recorder.stopped, true, __ATOMIC_SEQ_CST);
  static std::uint64_t copy[EventLog::kCapacity / sizeof(std::uint64_t)];
  for (const EventLog* log = recorder.logs.first(); log != nullptr; log = log->next) {
    if (__atomic_load_n(&log->file, __ATOMIC_ACQUIRE) == recorder.file.number())
      log->flush_from_outside(recorder.file, copy);
  }
  const std::uint32_t begun = recorder.passes + 1 - recorder.first_pass;
  const std::uint32_t kept =
      recorder.pass_limit != 0 && begun > recorder.pass_limit ? recorder.pass_limit : begun;
  write_end(recorder.file, {kept, read_relaxed(recorder.tags_wrapped), read_relaxed(recorder.overruns),
                            was_stopped ? 1U : 0U});
}

}  // namespace memo::guest
