// Who overlaps whom in time, as lists. For strategies that look at the same neighbourhoods many times; the
// memory is 8 bytes for each pair, so they refuse problems with too many.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

class ConflictLists {
 public:
  // O(n log n + pairs).
  explicit ConflictLists(const Problem& problem);

  // In ascending order of index.
  [[nodiscard]] std::span<const BufferIndex> of(BufferIndex buffer) const {
    return {others_.data() + first_[buffer], others_.data() + first_[buffer + 1]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<BufferIndex> others_;
};

// The length of each buffer's list. O(n log n).
[[nodiscard]] std::vector<std::size_t> conflict_counts(const Problem& problem);

// For the `refusal` of a strategy that keeps ConflictLists.
[[nodiscard]] std::string refuses_many_conflicts(const Problem& problem);

}  // namespace memo::planner
