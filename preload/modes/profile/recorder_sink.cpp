#include "preload/modes/profile/recorder_sink.h"

#include <cstdint>

#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/recording.h"
#include "preload/modes/profile/thread_log.h"
#include "preload/modes/profile/trace_life.h"
#include "preload/modes/profile/trace_names.h"
#include "runtime/serving/copies.h"

namespace memo::guest {
namespace {

bool over_the_limit(std::uint32_t number) {
  return g_recorder.pass_limit != 0 && number >= read_relaxed(g_recorder.first_pass) + g_recorder.pass_limit;
}

// Ends the recording at the first pass beyond the limit that begins while no recorded pass runs: until then,
// the program had time to free the blocks that those passes left.
void refuse_pass() {
  if (g_recorder.running.count() == 0) stop_recording(nullptr);
}

void pass_begin(const BoundaryName& name, std::uint64_t key, std::uintptr_t, std::uintptr_t) {
  if (!runtime::is_settled_here()) return;
  const std::uint32_t recording = g_recorder.file.number();
  if (stopped()) return;
  if (read_relaxed(g_recorder.until_marked)) write_relaxed(g_recorder.record_all, false);
  const std::uint32_t number = count_up(g_recorder.passes);
  if (over_the_limit(number)) return refuse_pass();
  EventLog* log = own_log();
  if (log == nullptr || !prepare_trace()) return stop_only(recording);
  write_name_once(name, g_recorder.file);
  g_recorder.running.begin();
  log->pass = number;
  log->works_for = 0;
  log->scope_depth = 0;
  const trace::PassBeginEvent event{head_of(trace::EventKind::kPassBegin, sizeof event, 0, name.id), number,
                                    key};
  log->append(event, g_recorder.file);
}

void pass_end(PassEnd) {
  if (!runtime::is_settled_here()) return;
  EventLog* log = present_log();
  if (log == nullptr || log->pass == 0) return;
  const trace::PassEndEvent event{head_of(trace::EventKind::kPassEnd, sizeof event, 0, 0), log->pass};
  if (!stopped()) log->append(event, g_recorder.file);
  log->pass = 0;
  log->scope_depth = 0;
  if (!stopped()) log->flush(g_recorder.file);
  g_recorder.running.end();
}

void log_scope(EventLog& log, trace::EventKind kind, const BoundaryName& name) {
  const trace::ScopeEvent event{head_of(kind, sizeof event, 0, name.id)};
  log.append(event, g_recorder.file);
}

void scope_begin(const BoundaryName& name) {
  if (!runtime::is_settled_here()) return;
  EventLog* log = present_log();
  if (log == nullptr || log->pass == 0 || stopped()) return;
  write_name_once(name, g_recorder.file);
  if (log->scope_depth < EventLog::kMostScopes) log->scopes[log->scope_depth] = name.id;
  ++log->scope_depth;
  log_scope(*log, trace::EventKind::kScopeBegin, name);
}

void scope_end(const BoundaryName& name) {
  EventLog* log = present_log();
  if (log == nullptr || log->pass == 0 || log->scope_depth == 0 || stopped()) return;
  --log->scope_depth;
  log_scope(*log, trace::EventKind::kScopeEnd, name);
}

}  // namespace

constexpr BoundarySink kRecorderSink{pass_begin, pass_end, scope_begin, scope_end, nullptr};

}  // namespace memo::guest
