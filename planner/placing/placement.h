// Keeps a slab that is being filled and finds gaps in it, for most strategies. An Occupancy holds the occupied
// addresses, so a search costs some log n steps and one for each gap, however many neighbours there are.
//
//   address
//     ^   |  e  |                 To place x, take the placed buffers that overlap it in time in the order of
//     |   +-----+  . . .          their offsets, and walk the gaps between them. First fit takes the lowest gap
//     |    gap 2    x?            that is large enough (here 1), best fit the smallest (2); without one, x goes
//     |   +--+--------+           above all of them.
//     |   |  |   c    |
//     |    gap 1    x?
//     |   +-----------+
//     +------------------> time
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "planner/placing/occupancy.h"
#include "planner/problem/problem.h"

namespace memo::planner {

enum class Fit { kFirst, kBest };

// Begins with the buffers whose place is fixed. Refers to the problem, which must outlive it.
class Placement {
 public:
  explicit Placement(const Problem& problem);

  // Returns where `fit` would put the buffer now: a multiple of its alignment, free for its whole life.
  [[nodiscard]] Offset find(BufferIndex index, Fit fit) const;
  // Puts the buffer at an offset without checking it; the caller guarantees that the bytes are free.
  void commit(BufferIndex index, Offset offset);
  // Finds a place and commits it; does nothing for a buffer that already has its place. Returns the buffer's
  // place.
  Offset place(BufferIndex index, Fit fit);

  [[nodiscard]] bool placed(BufferIndex index) const { return offsets_[index] >= 0; }
  [[nodiscard]] Bytes height() const { return height_; }
  // Returns the place of each buffer, -1 for a buffer that has none yet.
  [[nodiscard]] const Offsets& offsets() const { return offsets_; }

 private:
  const Problem& problem_;
  Occupancy occupancy_;
  Offsets offsets_;
  Bytes height_ = 0;
};

// Places all buffers in the given order.
[[nodiscard]] Offsets place_in_order(const Problem& problem, std::span<const BufferIndex> order, Fit fit);
// Does the same, but returns nothing where that needs more than `most` bytes: it stops at the first buffer that ends above.
[[nodiscard]] std::optional<Offsets> place_in_order(const Problem& problem,
                                                    std::span<const BufferIndex> order, Fit fit, Bytes most);

// Returns 0, 1, … n-1, for a strategy to sort by its own rule.
[[nodiscard]] std::vector<BufferIndex> all_indices(const Problem& problem);

// Returns the buffers by birth, which is the order of execution; those of one moment by index.
[[nodiscard]] std::vector<BufferIndex> birth_order(const Problem& problem);

}  // namespace memo::planner
