// The canary: eight bytes behind each recorded block. They depend on the block's address, generation and size,
// so a canary that another block left there is not taken for this block's.
//
//   | the program's bytes | canary |      at least 16 bytes: the table has one record for each 16
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "preload/modes/profile/address_table.h"
#include "runtime/formats/hash.h"
#include "runtime/formats/trace_format.h"

namespace memo::guest {

inline constexpr std::size_t kCanaryBytes = 8;
inline constexpr std::size_t kSmallestBlock = 16;  // bytes

inline std::uint64_t canary_of(const BlockInfo& block) {
  return (trace::tag_address(block.address, block.tag) ^ block.size) * kSpread;
}

inline void write_canary(const BlockInfo& block) {
  const std::uint64_t canary = canary_of(block);
  std::memcpy(reinterpret_cast<char*>(block.address) + block.size, &canary, sizeof canary);
}

inline bool canary_is_intact(const BlockInfo& block) {
  const std::uint64_t canary = canary_of(block);
  return std::memcmp(reinterpret_cast<const char*>(block.address) + block.size, &canary, sizeof canary) == 0;
}

// Returns the bytes to ask the heap for: the size and the canary. Returns a size that leaves no room for the
// canary as it is; the heap refuses it.
constexpr std::size_t block_bytes(std::size_t size) {
  if (size > PTRDIFF_MAX - kCanaryBytes) return size;
  const std::size_t bytes = size + kCanaryBytes;
  return bytes < kSmallestBlock ? kSmallestBlock : bytes;
}

}  // namespace memo::guest
