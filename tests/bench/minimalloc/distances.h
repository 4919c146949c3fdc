// Holds for each two buffers the least distance from the one's offset to the other's that a set of demands forces, and
// takes demands back. Address 0 and the capacity are demands too.
#pragma once

#include <cstddef>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::bench {

class Distances {
 public:
  using Node = std::size_t;  // a buffer, or the node after the last one: address 0
  using Mark = std::size_t;

  Distances(const planner::Problem& problem, planner::Bytes capacity);

  // Returns false if some buffer is larger than the capacity.
  [[nodiscard]] bool consistent() const;

  // Returns the least distance; a large negative number where nothing forces one.
  [[nodiscard]] planner::Bytes least(Node from, Node to) const { return least_[from * nodes_ + to]; }

  // Returns true if the other's offset may be this far from the one's, or farther.
  [[nodiscard]] bool allows(Node from, Node to, planner::Bytes distance) const {
    return least(to, from) + distance <= 0;
  }

  // Demands a distance that is allowed. O(n²).
  void demand(Node from, Node to, planner::Bytes distance);

  [[nodiscard]] Mark mark() const { return trail_.size(); }
  void take_back_to(Mark mark);

  // Returns the lowest offsets that satisfy the demands.
  [[nodiscard]] planner::Offsets lowest() const;

 private:
  struct Change {
    std::size_t place;
    planner::Bytes before;
  };

  void raise(std::size_t place, planner::Bytes distance);

  Node nodes_;
  std::vector<planner::Bytes> least_;
  std::vector<Change> trail_;
};

}  // namespace memo::bench
