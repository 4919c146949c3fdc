// Tracks which addresses are taken at which time. It finds the lowest place where a buffer fits, in any order
// of placement, in some log n steps instead of one step for each conflicting buffer, so that first fit scales.
//
// A segment tree over time. A buffer is entered at the few nodes that together make up its lifetime:
//
//              [0..8)              covering: addresses of buffers alive during the node's whole time
//            /        \            touched:  addresses of buffers alive at some moment of it
//        [0..4)      [4..8)
//        /    \      /    \        A buffer that conflicts with a lifetime is covering above one of its nodes,
//     [0..2)  …    …   [6..8)      or touched at one of them: about 4·log2(n) sets decide a query.
//
// A query raises a candidate address past every interval it hits, set after set, until it hits none. Intervals
// that touch are merged, so the sets of a busy node stay short.
// Cost: O(log n) set operations for a placement; O(log n + intervals passed) for a query; memory O(n log n).
#pragma once

#include <cstdint>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

class Occupancy {
 public:
  // Reads the lifetimes of the problem's buffers; nothing is placed yet, not even buffers with a fixed
  // offset.
  explicit Occupancy(const Problem& problem);

  // Returns the lowest multiple of `alignment` with `size` bytes free during the buffer's whole life.
  [[nodiscard]] Offset lowest_gap(BufferIndex buffer, Bytes size, Bytes alignment) const;

  // Returns the place that leaves the least of a gap unused, the lowest of several; above everything where no
  // gap is large enough.
  [[nodiscard]] Offset tightest_gap(BufferIndex buffer, Bytes size, Bytes alignment) const;

  // Returns true if no placed buffer holds any of these bytes at any moment of the buffer's life.
  [[nodiscard]] bool is_free(BufferIndex buffer, Offset offset, Bytes size) const;

  void occupy(BufferIndex buffer, Offset offset, Bytes size);

  // Forgets the placements and keeps the memory for the next round.
  void clear();

 private:
  using Node = std::uint32_t;  // 1 is the root, 2n and 2n+1 are the halves of n, leaves_ + i is moment i
  struct Interval {
    Offset begin;
    Offset end;
  };
  using IntervalSet = std::vector<Interval>;  // sorted, disjoint, never touching
  struct Cursor {
    const Interval* next;
    const Interval* end;
  };
  struct Moments {
    Node begin;
    Node end;  // exclusive
  };

  static void insert(IntervalSet& set, Interval added);
  static bool raise(Cursor& cursor, Offset& candidate, Bytes size, Bytes alignment);
  void consult_sets_of(BufferIndex buffer) const;
  Offset next_gap(Offset candidate, Bytes size, Bytes alignment) const;
  // Calls whole(node) for the nodes that make up the lifetime, and part(node) for all nodes above them.
  template <typename Whole, typename Part>
  void visit(const Moments& life, Whole whole, Part part) const;

  Node leaves_ = 1;
  unsigned levels_ = 0;
  std::vector<Moments> lives_;
  std::vector<IntervalSet> covering_;
  std::vector<IntervalSet> touched_;
  std::vector<Node> used_;               // nodes with a set that is not empty
  mutable std::vector<Cursor> cursors_;  // scratch of one query, as are the next two
  mutable IntervalSet passed_;
  mutable IntervalSet spare_;
};

}  // namespace memo::planner
