#include "preload/modes/profile/process_record.h"

#include <cstring>

#include "preload/modes/profile/trace_file.h"
#include "preload/platform/platform.h"
#include "runtime/platform/spare_stack.h"

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

}  // namespace

bool open_trace(TraceFile& file, std::uint32_t flags) {
  return file.is_open() || runtime::on_spare_stack([&] { return open_and_begin(file, flags); });
}

void write_end(TraceFile& file, const trace::EndRecord& record) {
  file.append(trace::BlockKind::kEnd, 0, 0, 0, &record, sizeof record);
}

}  // namespace memo::guest
