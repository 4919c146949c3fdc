#include "planner/trace/pass_count.h"

#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "planner/trace/blocks.h"
#include "runtime/formats/trace_format.h"

namespace memo::planner {
namespace {

constexpr std::size_t kWord = 8;  // bytes

std::size_t ends_in(std::string_view events) {
  std::size_t ends = 0;
  trace::EventHead head;
  while (events.size() >= sizeof head) {
    std::memcpy(&head, events.data(), sizeof head);
    const std::size_t bytes = head.words * kWord;
    if (bytes < sizeof head || bytes > events.size()) break;
    ends += head.kind == trace::EventKind::kPassEnd ? 1 : 0;
    events.remove_prefix(bytes);
  }
  return ends;
}

}  // namespace

PassCount::PassCount(std::filesystem::path trace) : trace_(std::move(trace)) {}

std::size_t PassCount::look() {
  std::ifstream file(trace_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset_));
  std::string payload;
  while (const std::optional<trace::BlockHeader> header = read_header(file)) {
    payload.resize(header->payload_bytes);
    if (!file.read(payload.data(), header->payload_bytes)) break;
    if (header->kind == trace::BlockKind::kEvents) ended_ += ends_in(payload);
    offset_ += sizeof *header + header->payload_bytes;
  }
  return ended_;
}

}  // namespace memo::planner
