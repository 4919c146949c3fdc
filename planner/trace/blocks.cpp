#include "planner/trace/blocks.h"

#include <fmt/format.h>

#include <cstring>

namespace memo::planner {
namespace {

enum class Flaw { kNone, kNoMagic, kVersion, kTooLong, kCut, kChecksum };

struct Attempt {
  Flaw flaw = Flaw::kNone;
  Block block;
};

Flaw flaw_of(const trace::BlockHeader& header) {
  if (header.magic != trace::kMagic) return Flaw::kNoMagic;
  if (header.version != trace::kVersion) return Flaw::kVersion;
  return header.payload_bytes > trace::kMaxPayload || header.payload_bytes % 8 != 0 ? Flaw::kTooLong
                                                                                    : Flaw::kNone;
}

Attempt try_block(std::string_view bytes, std::uint64_t offset) {
  Attempt attempt;
  trace::BlockHeader& header = attempt.block.header;
  const std::string_view rest = bytes.substr(offset);
  if (rest.size() < sizeof header) return {Flaw::kCut, {}};
  std::memcpy(&header, rest.data(), sizeof header);
  if (const Flaw flaw = flaw_of(header); flaw != Flaw::kNone) return {flaw, attempt.block};
  if (rest.size() - sizeof header < header.payload_bytes) return {Flaw::kCut, {}};
  attempt.block.offset = offset;
  attempt.block.payload = rest.substr(sizeof header, header.payload_bytes);
  if (trace::block_checksum(header, attempt.block.payload.data()) != header.checksum) {
    attempt.flaw = Flaw::kChecksum;
  }
  return attempt;
}

std::string describe(const Attempt& attempt) {
  switch (attempt.flaw) {
    case Flaw::kVersion:
      return fmt::format("a block of version {}", attempt.block.header.version);
    case Flaw::kTooLong:
      return "a block of impossible length";
    case Flaw::kCut:
      return "a block that was not written to its end";
    case Flaw::kChecksum:
      return "a block whose checksum is wrong";
    case Flaw::kNone:
    case Flaw::kNoMagic:
      break;
  }
  return "bytes that belong to no block";
}

// Returns the next place after `from` where a whole block begins, or the end of the bytes.
std::uint64_t resynchronise(std::string_view bytes, std::uint64_t from) {
  static constexpr char kMagicText[] = {'M', 'M', 'T', 'R'};
  const std::string_view magic(kMagicText, sizeof kMagicText);
  for (std::size_t at = bytes.find(magic, from + 1); at != std::string_view::npos;
       at = bytes.find(magic, at + 1)) {
    if (try_block(bytes, at).flaw == Flaw::kNone) return at;
  }
  return bytes.size();
}

[[noreturn]] void refuse(std::string_view bytes, const std::string& name) {
  const Attempt first = try_block(bytes, 0);
  if (bytes.empty()) throw TraceError(fmt::format("{} is empty, not a trace", name));
  if (first.flaw == Flaw::kVersion) {
    throw TraceError(
        fmt::format("{} is a trace of version {}, this command reads version {}: profile again with "
                    "the library of this release",
                    name, first.block.header.version, trace::kVersion));
  }
  throw TraceError(
      fmt::format("{} is not a trace: {} at offset 0, and no block anywhere", name, describe(first)));
}

bool is_unwritten(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

void pass_over(std::string_view bytes, std::uint64_t offset, const Attempt& attempt, BlockList& list) {
  const bool unwritten = is_unwritten(bytes);
  (unwritten ? list.unwritten : list.damage)
      .push_back({offset, fmt::format("{}, {} bytes passed over",
                                      unwritten ? "bytes that were never written" : describe(attempt),
                                      bytes.size())});
}

}  // namespace

std::optional<trace::BlockHeader> read_header(std::istream& file) {
  trace::BlockHeader header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || flaw_of(header) != Flaw::kNone)
    return std::nullopt;
  return header;
}

BlockList find_blocks(std::string_view bytes, const std::string& name) {
  BlockList list;
  std::uint64_t offset = 0;
  while (offset < bytes.size()) {
    Attempt attempt = try_block(bytes, offset);
    if (attempt.flaw == Flaw::kNone) {
      offset += sizeof attempt.block.header + attempt.block.payload.size();
      list.blocks.push_back(attempt.block);
      continue;
    }
    const std::uint64_t next = resynchronise(bytes, offset);
    pass_over(bytes.substr(offset, next - offset), offset, attempt, list);
    offset = next;
  }
  if (list.blocks.empty()) refuse(bytes, name);
  return list;
}

}  // namespace memo::planner
