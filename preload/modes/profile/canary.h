// The canary: eight bytes after a recorded block, where its size class has them to spare. So a recorded block takes as much
// memory as any other. They depend on the block's address, generation and size, so a canary that another block left there
// is not taken for this block's.
//
//   | the program's bytes | canary | the rest of the size class |
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "preload/heap/heap.h"
#include "preload/modes/profile/address_table.h"
#include "runtime/formats/hash.h"
#include "runtime/formats/trace_format.h"

namespace memo::guest {

inline constexpr std::size_t kCanaryBytes = 8;
inline constexpr std::size_t kSmallestBlock = 16;  // bytes

inline std::uint64_t canary_of(const BlockInfo& block) {
  return (trace::tag_address(block.address, block.tag) ^ block.size) * kSpread;
}

// Returns the bytes to ask the heap for. The table has one record for each 16 bytes.
constexpr std::size_t block_bytes(std::size_t size) {
  return std::max(size, kSmallestBlock);
}

inline bool has_canary(const BlockInfo& block) {
  return heap::size_class(block_bytes(block.size)) - block.size >= kCanaryBytes;
}

inline void write_canary(const BlockInfo& block) {
  if (!has_canary(block)) return;
  const std::uint64_t canary = canary_of(block);
  std::memcpy(reinterpret_cast<char*>(block.address) + block.size, &canary, sizeof canary);
}

inline bool canary_is_intact(const BlockInfo& block) {
  if (!has_canary(block)) return true;
  const std::uint64_t canary = canary_of(block);
  return std::memcmp(reinterpret_cast<const char*>(block.address) + block.size, &canary, sizeof canary) == 0;
}

}  // namespace memo::guest
