// Lists which buffers overlap each buffer in time, for strategies that look at the same neighbourhoods many
// times. The memory is 8 bytes for each pair, so these strategies refuse problems with too many pairs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

class ConflictLists {
 public:
  // Lists the conflicts of all buffers. O(n log n + pairs).
  explicit ConflictLists(const Problem& problem);

  // Returns the buffers that overlap `buffer` in time, in ascending order of index.
  [[nodiscard]] std::span<const BufferIndex> of(BufferIndex buffer) const {
    return {others_.data() + first_[buffer], others_.data() + first_[buffer + 1]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<BufferIndex> others_;
};

// Returns the length of each buffer's list. O(n log n).
[[nodiscard]] std::vector<std::size_t> conflict_counts(const Problem& problem);

// Serves as the `refusal` of a strategy that keeps ConflictLists.
[[nodiscard]] std::string refusal_of_many_conflicts(const Problem& problem);

}  // namespace memo::planner
