// The buckets of the histogram of what passes take. Each ends at a power of two, and the last one has no end:
//
//   0 … 1 KiB … 2 KiB … 4 KiB  …  32 GiB … 64 GiB … without end
//    0       1       2                    26      27
#pragma once

#include <bit>
#include <cstdint>

namespace memo {

inline constexpr std::uint32_t kLeastMemoryBits = 10;
inline constexpr std::uint32_t kMemoryBuckets = 28;

// Returns the most bytes that the bucket has, for all but the last.
constexpr std::uint64_t memory_bound_of(std::uint32_t bucket) {
  return std::uint64_t{1} << (kLeastMemoryBits + bucket);
}

// Returns the first bucket that has so many bytes.
constexpr std::uint32_t memory_bucket_of(std::uint64_t bytes) {
  if (bytes <= memory_bound_of(0)) return 0;
  const auto bits = static_cast<std::uint32_t>(std::bit_width(bytes - 1));
  return bits - kLeastMemoryBits < kMemoryBuckets ? bits - kLeastMemoryBits : kMemoryBuckets - 1;
}

}  // namespace memo
