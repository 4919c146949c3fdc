// Writes the parts that a sequence repeats without a break once: loops over the batch or the heads within an operator,
// and layers that are alike.
//
//   steps   p q | a b c | a b c | a b c | r         pieces   p  q  (a b c) 3 times  r
//
// The repetition that covers most steps is taken first, and its body is rolled in turn. Iterations are cut as late as
// the repetition allows: then what follows it begins with another step than its body, which tells the arena whether
// the loop goes on. No operator is open across a cut.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/period/repeats.h"
#include "planner/trace/trace.h"

namespace memo::planner {

struct Piece {
  std::uint32_t begin = 0;    // first step
  std::uint32_t steps = 1;    // of one iteration
  std::uint32_t count = 1;    // iterations; 1: a single step
  std::uint64_t body = 0;     // hash of the contexts of one iteration
  std::vector<Piece> inside;  // one iteration, rolled in turn; empty for a single step

  [[nodiscard]] bool is_loop() const { return count > 1; }
  [[nodiscard]] std::uint32_t end() const { return begin + steps * count; }
};

inline constexpr std::size_t kMostStepsToRoll = std::size_t{1} << 15;  // rolling takes quadratic time

// Rolls a sequence of at most kMostStepsToRoll steps. `scopes_before` says for each step, and for the end, how many
// operators began before it.
[[nodiscard]] std::vector<Piece> roll(const Nested& sequence, std::span<const std::uint32_t> scopes_before);

}  // namespace memo::planner
