// The hash of what passes allocate: it tells passes apart, and is written into no file.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/formats/hash.h"

namespace memo::planner {

[[nodiscard]] inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return mixed(hash, value);
}

[[nodiscard]] inline std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = mix(hash, std::uint64_t{static_cast<unsigned char>(c)});
  return hash;
}

}  // namespace memo::planner
