// Finds the passes of a program that does not mark them, from nothing but what its threads allocate.
//
//   thread   … s t a b b c x d · a b b c d · a b b c d · a b x b c d · a b b …        · idle
//                  ^             ^           ^           ^
//                anchor: opens every pass and occurs nowhere else; x, a stray, belongs to none
//
//   thread   … a b c x y z · a b c x · a b c u v w x · a b c …       what differs after passes (a b c) belongs to none either
//
// A context is a call site and a size class. The search tries each context that occurs often enough as the
// anchor: its occurrences cut the threads into stretches, and stretches that are alike are passes. A candidate
// is judged by what a plan of its passes could serve:
//
//   - A plan cannot serve an allocation that lives beyond its stretch. So the body of a loop that hands tensors
//     from one round to the next is a worse pass than the whole loop, and a cut where nothing is alive is the
//     best of all rotations.
//   - Among candidates that serve about as much, and are about as tight, the one with the shortest stretches
//     wins: two variants that take turns are two passes, not one of twice the length.
//   - A context that hardly occurs except to open a pass is better than one that loading and warm-up are full
//     of: when the arena serves, each occurrence begins a pass.
//   - Among those, the search prefers what the loop over the requests allocates itself, on the shallowest
//     stack, to what its callees allocate. Fewer live blocks (as before the last operator of a network) or a
//     longer wait inside a callee are no reason to cut there.
//   - Last, the context after the longest wait wins, since a request comes in there.
//
// choice.cpp has these rules as a table of terms, with the limits of each.
//
// Stretches need not be equal. A few allocations that other stretches do not have are strays, whether their
// context occurs anywhere or only in this pass. Time does not count, so idle gaps do not either.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "planner/problem/deadline.h"
#include "planner/problem/problem.h"

namespace memo::planner {

using ContextId = std::uint32_t;

// An allocation of a thread.
struct Step {
  ContextId context = 0;
  Bytes size = 0;
  std::uint32_t freed_at =
      UINT32_MAX;           // the thread's first allocation after its free; UINT32_MAX: never freed
  std::uint32_t depth = 0;  // bytes of stack below the thread's shallowest; 0 for all: unknown
  std::uint64_t at_ns = 0;
};

// The allocations of one thread, in order.
using Sequence = std::vector<Step>;

// A pass: the steps [begin, end) of a thread, except those in `strays`. The pass lasts until `next`, where
// the anchor occurs again; the steps between `end` and `next` belong to no pass.
struct Stretch {
  std::uint32_t thread = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t next = 0;
  std::vector<std::uint32_t> strays;
};

// Why an anchor was chosen: the term that decided (planner/period/choice.cpp), and the last rival it dropped.
struct Choice {
  ContextId anchor = 0;
  std::optional<ContextId> runner_up = {};  // nothing: no other context opened passes
  std::string_view decided_by;
  std::size_t window = 0;  // steps at each thread's end in which the anchors were compared
};

struct Period {
  ContextId anchor = 0;
  std::vector<Stretch> passes;  // by thread, then in order
  std::size_t stretches = 0;    // stretches between two anchors: the passes, and those unlike any other
  double covered = 0;           // share of the steps, from each thread's first pass to its last, in passes
  bool steady = false;          // its threads end in nothing but passes
  Choice choice;
};

// Finds the period. `may_open[context]` is false for a context that the arena would not notice. Returns nothing
// where there are no passes, or too few to be sure. It takes a second for a million steps, and more where many
// threads have as many callers. Once the deadline has passed, it decides among the anchors tried until then. Returns
// nothing, too, where the deadline is over before the passes are cut.
[[nodiscard]] std::optional<Period> find_period(std::span<const Sequence> threads,
                                                const std::vector<bool>& may_open, Deadline& deadline);

}  // namespace memo::planner
