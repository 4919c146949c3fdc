// Writes the parts that a sequence repeats without a break once: loops over the batch or the heads within an operator,
// recurrent layers, and layers that are alike.
//
//   steps   p q | a b c | a b c | x a b c | r         pieces   p  q  (a b c, a b c, x a b c)  r
//
// Two iterations in a row must be equal. Those after them may have a few steps more or lack a few (repeats.h), as where
// a list has to grow, unless they are short. The repetition that covers most steps is taken first, and its iterations are rolled in turn.
// Iterations are cut as late as the repetition allows: then what follows it begins with another step than its body,
// which tells the arena whether the loop goes on. No operator is open across a cut.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/period/repeats.h"
#include "planner/trace/trace.h"

namespace memo::planner {

struct Piece;

// An iteration of a loop.
struct Turn {
  std::uint32_t begin = 0;  // first step
  std::uint32_t steps = 0;
  std::uint64_t body = 0;     // hash of the contexts
  std::vector<Piece> inside;  // the iteration, rolled in turn
};

// A single step, or a loop.
struct Piece {
  std::uint32_t begin = 0;  // first step
  std::uint64_t body = 0;   // context of a single step
  std::vector<Turn> turns;  // of a loop; at least two

  [[nodiscard]] bool is_loop() const { return !turns.empty(); }
};

inline constexpr std::size_t kMostStepsToRoll = std::size_t{1} << 17;  // rolling takes quadratic time

// Rolls a sequence of at most kMostStepsToRoll steps. `scopes_before` says for each step, and for the end, how many
// operators began before it.
[[nodiscard]] std::vector<Piece> roll(const Nested& sequence, std::span<const std::uint32_t> scopes_before);

}  // namespace memo::planner
