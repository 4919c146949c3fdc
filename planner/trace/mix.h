// The hash of what passes allocate: it tells passes apart, and is written into no file.
#pragma once

#include <cstdint>
#include <string_view>

namespace memo::planner {

[[nodiscard]] inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32);
}

[[nodiscard]] inline std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = mix(hash, std::uint64_t{static_cast<unsigned char>(c)});
  return hash;
}

}  // namespace memo::planner
