// Computes how much memory a server with a plan needs. A request takes a lane, which is as high as the plan, and beside it what
// the plan leaves to the heap. What the program holds before its first pass, its base, is in no plan.
//
//   requests    base + one of the largest                       what Kubernetes sets aside for the server
//   limits      base + as many of the largest as run at once    beyond it the kernel ends the server
#pragma once

#include <cstdint>

#include "planner/plan/plan_description.h"

namespace memo::planner {

inline constexpr std::uint64_t kHugePage = std::uint64_t{1} << 21;
inline constexpr std::uint64_t kMostAtOnce = 255;  // lanes of a process

// Returns the memory of a lane of this height: whole pages, and a huge page where the end of the lane fills half of one.
[[nodiscard]] std::uint64_t lane_memory(std::uint64_t height);

// Returns the memory of a lane with its index: the library notes in two bytes whose each 64 of them are.
[[nodiscard]] constexpr std::uint64_t with_index(std::uint64_t lane) {
  return lane + lane / kGranule * 2;
}

// Returns the most bytes that are live at once in blocks which the plan leaves to the heap and the pass frees.
[[nodiscard]] std::uint64_t heap_beside(const PlanVariantDescription& variant);

struct MemoryNeed {
  std::uint64_t lane = 0;    // memory of a lane: that of the highest variant
  std::uint64_t heap = 0;    // the most that a pass takes of the heap beside it
  std::uint64_t worker = 0;  // memory of a lane for a worker thread; 0: the plan has none for them

  // Returns what a pass takes at the most.
  [[nodiscard]] std::uint64_t request() const { return with_index(lane) + heap; }
};

[[nodiscard]] MemoryNeed need_of(const PlanDescription& plan);

// Returns the need of so many of the largest requests at once.
[[nodiscard]] std::uint64_t needed_at_once(const MemoryNeed& need, std::uint64_t base, std::uint64_t at_once);

// Returns how many of the largest requests fit into `limit` at once.
[[nodiscard]] std::uint64_t fitting_at_once(const MemoryNeed& need, std::uint64_t base, std::uint64_t limit);

}  // namespace memo::planner
