// The passes of a program that does not say where they begin, from nothing but what its threads allocate.
//
//   thread   … s t a b b c x d · a b b c d · a b b c d · a b x b c d · a b b …        · idle
//                  ^             ^           ^           ^
//                anchor: opens every pass and occurs nowhere else; x, a stray, belongs to none
//
//   thread   … a b c x y z · a b c x · a b c u v w x · a b c …       what differs behind passes (a b c) belongs to none either
//
// A context is a call site and a size class. Each one that occurs often enough is tried as the anchor: its occurrences cut
// the threads into stretches, and stretches that are alike are passes. What decides between candidates is what a plan made
// of them could serve:
//
//   - an allocation that lives beyond its stretch could not be, so the body of a loop that hands tensors from one round to
//     the next is a worse pass than the whole loop, and a cut where nothing is alive is the best of all rotations;
//   - among candidates that serve about as much, and are about as tight, the shortest stretches win, so that two variants
//     which take turns are two passes and not one of twice the length;
//   - what hardly ever occurs but to open a pass is better than what loading and warming up are full of: where it is served,
//     each occurrence begins a pass;
//   - among those, what the loop over the requests allocates itself, on the shallowest stack, is no part of what it calls: a few
//     blocks less alive, as before the last operator of a network, or a longer wait within it, are no reason to cut there;
//   - and then the one after the longest wait, which is where a request comes in.
//
// Stretches need not be equal: a few allocations that others do not have are strays, whether their context is one that
// turns up anywhere or one of the pass's own. Time does not count, so idle gaps do not either.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/problem/deadline.h"
#include "planner/problem/problem.h"

namespace memo::planner {

using ContextId = std::uint32_t;

// One allocation.
struct Step {
  ContextId context = 0;
  Bytes size = 0;
  std::uint32_t freed_at =
      UINT32_MAX;  // it was gone before this allocation of the same thread; UINT32_MAX: never
  std::uint32_t depth =
      0;  // of the stack it was made on, in bytes below the thread's shallowest; 0 for all: unknown
  std::uint64_t at_ns = 0;
};

// What one thread allocates, in order.
using Sequence = std::vector<Step>;

// One pass: the steps [begin, end) of a thread, those in `strays` excepted. It lasts until `next`, where the anchor comes
// again; what lies in between the thread does for itself.
struct Stretch {
  std::uint32_t thread = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t next = 0;
  std::vector<std::uint32_t> strays;
};

struct Period {
  ContextId anchor = 0;
  std::vector<Stretch> passes;  // by thread, then in order
  std::size_t stretches = 0;    // between two anchors: the passes, and those that are like no other
  double covered = 0;   // of the steps from each thread's first pass to its last, those that belong to passes
  bool steady = false;  // its threads end in nothing but passes
};

// `may_open[context]` is false for one that the arena would not notice. Nothing: no passes, or too few to be sure.
// A second is spent on a million steps, and more where many threads have as many callers. Once the deadline has passed, the
// anchors tried until then have to do.
[[nodiscard]] std::optional<Period> find_period(std::span<const Sequence> threads,
                                                const std::vector<bool>& may_open, Deadline& deadline);

}  // namespace memo::planner
