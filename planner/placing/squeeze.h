// First fit in a given order, and what it does for a loose plan.
//
//     loose:  | 3 3       |        squeezed:  |           |      Dropping every buffer onto what lies below
//     it,
//             |    2 2    |                   | 3 3 2 2   |      lowest first, never lifts one: whoever was
//             | 1 1 1 1 1 |                   | 1 1 1 1 1 |      below it has only sunk meanwhile.
//
// Strategies that reason in whole objects, colours or boxes make a loose plan and leave the last step to
// this.
#pragma once

#include <optional>
#include <span>

#include "planner/placing/occupancy.h"

namespace memo::planner {

// Buffers whose place is fixed are there from the start. Refers to the problem, which must outlive it.
// Cost of a run: n queries and placements of an Occupancy; memory is kept from run to run.
class FirstFit {
 public:
  explicit FirstFit(const Problem& problem);

  // Each buffer of `order` (which names all of them once) at the lowest free place. Nothing when that needs
  // more than `most` bytes: the run stops at the first buffer above it.
  [[nodiscard]] std::optional<Offsets> run(std::span<const BufferIndex> order, Bytes most);
  [[nodiscard]] Offsets run(std::span<const BufferIndex> order);

 private:
  void place_fixed();

  const Problem& problem_;
  Occupancy occupancy_;
};

// First fit in ascending order of the loose offsets. If the loose plan is valid the result is nowhere higher;
// if it is not (a fixed place or an alignment was ignored) the result is valid all the same.
[[nodiscard]] Offsets squeeze(const Problem& problem, const Offsets& loose);

// The order that squeeze() uses: loose offset, then earlier birth, larger size, index.
[[nodiscard]] std::vector<BufferIndex> loose_order(const Problem& problem, const Offsets& loose);

}  // namespace memo::planner
