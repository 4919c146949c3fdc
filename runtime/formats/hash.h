// The hashes of the guest and of the planner. Those of names are part of the formats.
#pragma once

#include <cstdint>

namespace memo {

// 2^64 divided by the golden ratio. Products with it spread neighbouring numbers over all high bits.
inline constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

// Adds a word to a hash that lives in memory only.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kSpread;
  return hash ^ hash >> 32;
}

// Mixes the value: every bit of the result depends on every bit of `value` (the finaliser of splitmix64).
[[nodiscard]] constexpr std::uint64_t scrambled(std::uint64_t value) {
  value += kSpread;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// FNV-1a, a byte at a time.
inline constexpr std::uint64_t kFnvBegin = 0xcbf29ce484222325;
[[nodiscard]] constexpr std::uint64_t fnv_added(std::uint64_t hash, std::uint64_t byte) {
  return (hash ^ byte) * 0x100000001b3;
}

}  // namespace memo
