// Places buffers by first fit in a given order, and squeezes a loose plan with it.
//
//     loose:  | 3 3       |        squeezed:  |           |      Dropping every buffer onto the ones below,
//             |    2 2    |                   | 3 3 2 2   |      lowest first, never lifts one: the buffers
//             | 1 1 1 1 1 |                   | 1 1 1 1 1 |      below it have only sunk meanwhile.
//
// Strategies that reason in whole objects, colours or boxes make a loose plan and leave the last step to
// squeeze().
#pragma once

#include <optional>
#include <span>

#include "planner/placing/occupancy.h"

namespace memo::planner {

// Begins with the buffers whose place is fixed. Refers to the problem, which must outlive it. A run costs n
// queries and placements of an Occupancy; the memory is kept from run to run.
class FirstFit {
 public:
  explicit FirstFit(const Problem& problem);

  // Places each buffer of `order`, which names all of them once, at the lowest free place. Returns nothing when
  // that needs more than `most` bytes: the run stops at the first buffer that ends above it.
  [[nodiscard]] std::optional<Offsets> run(std::span<const BufferIndex> order, Bytes most);
  [[nodiscard]] Offsets run(std::span<const BufferIndex> order);

 private:
  void place_fixed();

  const Problem& problem_;
  Occupancy occupancy_;
};

// Places the buffers by first fit in ascending order of their loose offsets. If the loose plan is valid, no
// buffer of the result lies higher. If it is not (because it ignored a fixed place or an alignment), the result
// is valid all the same.
[[nodiscard]] Offsets squeeze(const Problem& problem, const Offsets& loose);

// Returns the order that squeeze() uses: loose offset, then earlier birth, larger size, index.
[[nodiscard]] std::vector<BufferIndex> loose_order(const Problem& problem, const Offsets& loose);

}  // namespace memo::planner
