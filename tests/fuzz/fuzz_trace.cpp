// Any bytes at all: the trace reader either refuses them with TraceError or returns a trace whose every index points at
// something and whose every lifetime lies within its pass. Since checksums keep random bytes from getting far, each
// input is tried a second time with the checksums of everything that looks like a block put right.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "planner/trace/trace.h"

namespace memo::planner {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void require_sound(const Trace& trace, const Pass& pass) {
  require(pass.thread < trace.threads && pass.name < trace.names.size());
  for (const Scope& scope : pass.scopes) {
    require(scope.name < trace.names.size());
    require(scope.parent == kNone || scope.parent < pass.scopes.size());
    require(scope.life.begin <= scope.life.end && scope.life.end <= pass.events);
  }
  for (const Allocation& made : pass.allocations) {
    require(made.size >= 0 && made.alignment > 0);
    require(0 <= made.life.begin && made.life.begin < made.life.end && made.life.end <= pass.events);
    require(made.scope == kNone || made.scope < pass.scopes.size());
    require(made.site.module == kNone || made.site.module < trace.modules.size());
    require(made.stack == kNone || made.stack < trace.stacks.size());
    require(made.freed_by == kNone || made.freed_by < trace.threads);
  }
}

void feed(std::string_view bytes) {
  try {
    const Trace trace = parse_trace(bytes, "fuzz");
    for (const Pass& pass : trace.passes) {
      require_sound(trace, pass);
      static_cast<void>(fingerprint(trace, pass));
      require(peak_live_bytes(pass) <= bytes_requested(pass));
    }
  } catch (const TraceError&) {
  }
}

std::string with_right_checksums(std::string bytes) {
  trace::BlockHeader header;
  for (std::size_t at = 0; at + sizeof header <= bytes.size();) {
    std::memcpy(&header, bytes.data() + at, sizeof header);
    const std::size_t room = bytes.size() - at - sizeof header;
    if (header.magic != trace::kMagic || header.payload_bytes > room || header.payload_bytes % 8 != 0) {
      ++at;
      continue;
    }
    header.checksum = trace::block_checksum(header, bytes.data() + at + sizeof header);
    std::memcpy(bytes.data() + at, &header, sizeof header);
    at += sizeof header + header.payload_bytes;
  }
  return bytes;
}

}  // namespace
}  // namespace memo::planner

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  memo::planner::feed(bytes);
  memo::planner::feed(memo::planner::with_right_checksums(std::string(bytes)));
  return 0;
}
