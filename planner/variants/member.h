// A pass as a run of some variant; shared by the search for variants and the search for loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "planner/variants/trace_view.h"

namespace memo::planner {

struct Member {
  const TraceView* view = nullptr;
  const Pass* pass = nullptr;
  std::uint64_t fingerprint = 0;  // hash of what the pass allocates, in order
};

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32);
}

inline std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

// Returns how many allocations of the pass come before the position.
inline Time allocations_before(const Pass& pass, Time position) {
  const auto at = std::partition_point(pass.allocations.begin(), pass.allocations.end(),
                                       [&](const Allocation& a) { return a.life.begin < position; });
  return at - pass.allocations.begin();
}

}  // namespace memo::planner
