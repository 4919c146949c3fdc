// Places buffers at their lowest offsets, and takes placements back in turn.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/placing/conflicts.h"
#include "planner/problem/problem.h"

namespace memo::planner {

class TelaPlacement {
 public:
  // Fixed buffers are placed from the start.
  explicit TelaPlacement(const Problem& problem);

  // Places the buffer. Returns the buffer that no longer fits below the capacity, this one or an unplaced one, or
  // nothing where all do. The changes come after `mark` on the trail either way.
  [[nodiscard]] std::optional<BufferIndex> place(BufferIndex i, Bytes capacity);

  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  // Takes back the last placed buffer and what changed since the mark.
  void take_back(BufferIndex i, std::size_t mark);

  [[nodiscard]] bool is_placed(BufferIndex i) const { return placed_[i]; }
  // Returns the offset of each placed buffer, and the lowest possible one of the others.
  [[nodiscard]] const Offsets& offsets() const { return lowest_; }
  // Returns how many gaps were looked for.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }

 private:
  struct Change {
    BufferIndex buffer;
    Offset before;
  };

  [[nodiscard]] Offset top(BufferIndex i) const { return lowest_[i] + problem_.buffers[i].size; }
  [[nodiscard]] Offset lowest_gap(BufferIndex i);

  const Problem& problem_;
  ConflictLists conflicts_;
  std::vector<bool> placed_;
  Offsets lowest_;
  std::vector<Change> trail_;
  std::uint64_t looks_ = 0;
};

}  // namespace memo::planner
