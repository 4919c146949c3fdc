// Reads the outer layer of a trace: which stretches of the file are whole blocks, and what lies between them.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/trace/trace.h"
#include "runtime/formats/trace_format.h"

namespace memo::planner {

struct Block {
  std::uint64_t offset = 0;
  trace::BlockHeader header{};
  std::string_view payload;
};

struct BlockList {
  std::vector<Block> blocks;  // in the order of the file
  std::vector<Damage> damage;
  std::vector<Damage> unwritten;  // nothing but zeros: damage in a file that only grows
};

// Reads the header at the stream's place. Returns nothing where there is none that this release can read.
[[nodiscard]] std::optional<trace::BlockHeader> read_header(std::istream& file);

// Finds the blocks. Throws TraceError where the bytes hold no block at all.
[[nodiscard]] BlockList find_blocks(std::string_view bytes, const std::string& name);

}  // namespace memo::planner
