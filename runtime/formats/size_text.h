// Sizes as people write them: "2G", "256MiB", "4096", or "4Gi" as in Kubernetes. Units are powers of 1024. Allocates nothing,
// for the guest.
#pragma once

#include <cstdint>

namespace memo {

inline constexpr unsigned kNoUnit = ~0U;

// Returns how many powers of 1024 the unit stands for: 0 for none, kNoUnit for a text that is no unit.
constexpr unsigned powers_of_unit(const char* unit) {
  if (*unit == '\0') return 0;
  const char letter = static_cast<char>(*unit >= 'a' && *unit <= 'z' ? *unit - 'a' + 'A' : *unit);
  unsigned powers = 1;
  for (const char* known = "KMGT"; *known != letter; ++known, ++powers)
    if (*known == '\0') return kNoUnit;
  const char* rest = unit + 1;
  if (rest[0] == 'i') ++rest;
  if (rest[0] == 'B') ++rest;
  const bool is_whole = rest[0] == '\0';
  return is_whole ? powers : kNoUnit;
}

// Reads a whole number with or without a unit. Returns false for any other text, and for more bytes than 64 bits hold.
constexpr bool read_size(const char* text, std::uint64_t* bytes) {
  if (*text < '0' || *text > '9') return false;
  std::uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value)) return false;
    if (__builtin_add_overflow(value, static_cast<std::uint64_t>(*text - '0'), &value)) return false;
  }
  const unsigned powers = powers_of_unit(text);
  if (powers == kNoUnit || (powers != 0 && value >> (64 - 10 * powers) != 0)) return false;
  *bytes = value << (10 * powers);
  return true;
}

}  // namespace memo
