// Writes the parts that passes repeat once: tokens that are generated, recurrent layers, and in each of them loops over the
// batch or the heads within an operator.
//
//   steps    p | q a a b | q a b | q a a a b | r          a is repeated: 2 times, once, 3 times
//   folded   p | q A   b | q A b | q A     b | r          now q A b is repeated
//   pieces   p   (q A b, q A b, q A b)   r
//
// All sequences of a kind of passes are folded together, so that a loop is the same piece in each. The shortest body comes
// first, since a loop around others repeats itself only once these are folded: they may run another number of times in each
// of its iterations. At one place, between the same two steps, a body must be repeated by different numbers, and at least
// kLeastIterations times somewhere. Then it is folded wherever it occurs, be it once. That goes on until no body is left.
//
// Two iterations in a row must be equal. Those after them may have a few steps more or lack a few (repeats.h), as where
// a list has to grow, unless they are short. Iterations are cut as late as the repetition allows: then what follows it begins
// with another step than its body, which tells the arena whether the loop goes on. No operator is open across a cut.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/period/repeats.h"
#include "planner/steps/member.h"
#include "planner/trace/trace.h"

namespace memo::planner {

struct Piece;

// An iteration of a loop.
using Iteration = std::vector<Piece>;

// A single step, or a loop.
struct Piece {
  std::uint32_t begin = 0;            // first step
  ContextId id = 0;                   // context of a single step; equal for loops whose bodies correspond
  std::vector<Iteration> iterations;  // of a loop

  [[nodiscard]] bool is_loop() const { return !iterations.empty(); }
};

// Passes that take the very same steps.
struct Shape {
  Nested sequence;
  std::vector<bool> is_scope;                // of each step
  std::vector<std::uint32_t> scopes_before;  // operators that began before each step, and before the end
  std::vector<Piece> pieces;                 // the sequence, once it is folded
  std::vector<const Member*> members;

  [[nodiscard]] std::uint32_t made_before(std::uint32_t step) const { return step - scopes_before[step]; }
};

// Folds the sequences of the shapes together.
void fold_together(std::span<Shape> shapes);

[[nodiscard]] std::vector<std::uint64_t> ids_of(const std::vector<Piece>& pieces);

}  // namespace memo::planner
