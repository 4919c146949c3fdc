// Reads one pass of a trace as the calls that a replay has to make, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memo::bench {

enum class Call : std::uint8_t { kFree, kMalloc, kCalloc, kAligned, kNew };

struct Step {
  std::size_t size;     // of an allocation, at least 1
  std::uint32_t block;  // what is allocated or freed, numbered in the order of the allocations
  std::uint16_t alignment;
  Call call;
};
static_assert(sizeof(Step) == 16);

struct Recording {
  std::vector<Step> steps;
  std::uint32_t blocks = 0;
  std::size_t peak = 0;  // bytes live at once, each block rounded up to 64
};

// The pass that the trace has most of, the last of its kind. What outlives it is freed at its end; what other threads
// freed is freed where it happened. Throws std::runtime_error where the trace has no complete pass.
Recording read_recording(const std::string& path);

}  // namespace memo::bench
