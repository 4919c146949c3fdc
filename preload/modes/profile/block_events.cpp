#include "preload/modes/profile/block_events.h"

#include <cstdint>

#include "preload/boundaries/own_stack.h"
#include "preload/log/log.h"
#include "preload/modes/profile/canary.h"
#include "preload/modes/profile/event_log.h"
#include "preload/modes/profile/own_cost.h"
#include "preload/modes/profile/program_pointers.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/stacks.h"
#include "preload/modes/profile/thread_log.h"
#include "preload/modes/profile/trace_names.h"
#include "runtime/serving/copies.h"

namespace memo::guest {
namespace {

// Notes that another pass has begun, or the last one is over, since the thread's last allocation. Flushes the
// events of the thread's work so far: the thread may never allocate again.
[[gnu::cold, gnu::noinline]] void move_worker_on(std::uint32_t latest) {
  EventLog* log = own_log();
  if (log == nullptr || log->busy) return;
  log->flush(g_recorder.file);
  log->works_for = latest;
}

// Notices that a thread without a pass of its own works for another pass now: for the one that began last and runs. What it
// allocates meanwhile is recorded as part of it. Costs two loads and a compare.
inline void follow_running_passes(const EventLog* log) {
  const std::uint32_t latest = g_recorder.running.latest();
  if (log == nullptr ? latest != 0 : log->pass == 0 && log->works_for != latest) move_worker_on(latest);
}

[[gnu::cold, gnu::noinline]] void report_overrun(const BlockInfo& block) {
  if (count_up(g_recorder.overruns) > kMostReports) return;
  const char* scope = name_text(block.scope);
  log_trouble("the end of a block of ", static_cast<unsigned long>(block.size),
              " bytes was overwritten before its free", scope == nullptr ? "" : "; it was made in ",
              scope == nullptr ? "" : scope);
}

std::uint8_t flags_of(trace::AllocationKind kind, CallSite site) {
  const bool own_stack = on_own_stack(reinterpret_cast<std::uintptr_t>(site.stack));
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | (own_stack ? 0 : trace::kScopeUnknown));
}

trace::AllocateEvent allocate_event(const BlockInfo& block, std::size_t alignment, trace::AllocationKind kind,
                                    CallSite site) {
  const auto stack = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(site.stack));
  trace::AllocateEvent event{head_of(trace::EventKind::kAllocate, sizeof event, flags_of(kind, site), stack),
                             trace::tag_address(block.address, block.tag), block.size,
                             reinterpret_cast<std::uint64_t>(site.address)};
  event.head.alignment_log2 = static_cast<std::uint8_t>(__builtin_ctzl(alignment));
  return event;
}

[[gnu::cold, gnu::noinline]] void log_with_stack(EventLog& log, const trace::AllocateEvent& event,
                                                 CallSite site) {
  if (!runtime::is_settled_here()) return;
  trace::AllocateWithStackEvent with{event, take_stack(site, g_recorder.file)};
  with.allocation.head.words = sizeof with / 8;
  with.allocation.head.flags |= trace::kHasStack;
  log.append(with, g_recorder.file);
}

void log_allocation(EventLog& log, const BlockInfo& block, std::size_t alignment, trace::AllocationKind kind,
                    CallSite site) {
  const trace::AllocateEvent event = allocate_event(block, alignment, kind, site);
  if (__builtin_expect(g_recorder.stacks && g_recorder.file.is_open(), 0))
    return log_with_stack(log, event, site);
  log.append(event, g_recorder.file);
}

bool has_recorded_allocation(const BlockInfo& block) {
  return block.pass >= read_relaxed(g_recorder.first_pass) ||
         (read_relaxed(g_recorder.record_all) && block.pass == 0);
}

}  // namespace

void* note_allocation(void* memory, std::size_t size, std::size_t alignment, trace::AllocationKind kind,
                      CallSite site) {
  const OwnCost cost;
  follow_running_passes(present_log());
  EventLog* log = t_log;
  if (log == nullptr && read_relaxed(g_recorder.record_all)) log = own_log();
  BlockInfo block{reinterpret_cast<std::uintptr_t>(memory), size, 0, 0, 0};
  if (log != nullptr) {
    block.pass = log->works_for != 0 ? read_relaxed(g_recorder.passes) : log->pass;
    block.scope = log->scope();
  }
  bool wrapped = false;
  if (!g_recorder.table.claim(block.address, block, wrapped)) {
    if (log != nullptr) log->count_lost();
    return memory;
  }
  if (__builtin_expect(wrapped, 0)) count_up(g_recorder.tags_wrapped);
  write_canary(block);
  if (is_recorded(log)) log_allocation(*log, block, alignment, kind, site);
  return tagged_pointer(block);
}

bool note_release(std::uintptr_t address, std::uint8_t flags, BlockInfo& block) {
  const OwnCost cost;
  if (!g_recorder.table.retire(address, block)) return false;
  if (__builtin_expect(!canary_is_intact(block), 0)) {
    report_overrun(block);
    flags |= trace::kFreedOverrun;
  }
  if (!has_recorded_allocation(block)) return true;
  EventLog* log = own_log();
  if (log == nullptr) return true;
  const trace::FreeEvent event{head_of(trace::EventKind::kFree, sizeof event, flags, 0),
                               trace::tag_address(block.address, block.tag)};
  log->append(event, g_recorder.file);
  return true;
}

}  // namespace memo::guest
