#include "preload/modes/profile/data_flow.h"

#include "preload/modes/profile/program_pointers.h"
#include "preload/modes/profile/recorder_state.h"
#include "preload/modes/profile/thread_log.h"
#include "preload/modes/profile/trace_names.h"
#include "runtime/serving/copies.h"

namespace memo::guest {
namespace {

// Finds the block that the pointer leads to. Most tensors lie at the begin of theirs, and views further in.
bool find_block_of(const void* pointer, BlockInfo& block) {
  const std::uintptr_t address = address_in(pointer);
  return g_recorder.table.find_block(address, block) || g_recorder.table.find_holder(address, block);
}

void log_access(EventLog& log, trace::EventKind kind, const void* pointer) {
  BlockInfo block;
  if (pointer == nullptr || !find_block_of(pointer, block)) return;
  const trace::AccessEvent event{head_of(kind, sizeof event, 0, 0),
                                 trace::tag_address(block.address, block.tag), block.size};
  log.append(event, g_recorder.file);
}

}  // namespace

void note_data_flow(const BoundaryName& operation, const void* const* blocks, std::size_t reads,
                    std::size_t writes) {
  if (!g_recorder.data_flow || stopped() || !runtime::is_settled_here()) return;
  EventLog* log = present_log();
  if (log == nullptr || log->pass == 0) return;
  write_name_once(operation, g_recorder.file);
  const trace::OperatorEvent event{head_of(trace::EventKind::kOperator, sizeof event, 0, operation.id)};
  log->append(event, g_recorder.file);
  for (std::size_t i = 0; i < reads; ++i) log_access(*log, trace::EventKind::kReads, blocks[i]);
  for (std::size_t i = reads; i < reads + writes; ++i) log_access(*log, trace::EventKind::kWrites, blocks[i]);
}

}  // namespace memo::guest
