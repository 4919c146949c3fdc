// Finds the part of a sequence that repeats without a break: the body of a loop.
//
//   step       p q | a b c d | a b c x d | a b d | a b c d | r s          begins: 2 6 11 14, and 18
//   place           0 1 2 3   0 1 2 - 3   0 1 3   0 1 2 3                 x belongs to none, the third c is missing
//
// The search tries each context as the opening of an iteration, as find_period tries anchors. Here, however, it
// looks for one run of iterations that follow one another at once, in sequences that have other steps before
// and after it. Among bodies that account for about as much, the shortest wins; of its rotations, the one that
// starts where the repetition starts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/period/period.h"

namespace memo::planner {

using Body = std::vector<ContextId>;

inline constexpr std::uint32_t kNoPlace = UINT32_MAX;
inline constexpr std::size_t kLeastIterations = 4;  // a body must repeat this often in a sequence

// A sequence to be searched. `around` says for each step which scopes are open around it. An iteration may
// begin only where exactly the same scopes are open as before the first iteration.
struct Nested {
  Sequence steps;
  std::vector<std::uint32_t> around;
};

// The iterations of a body in one sequence.
struct Repeats {
  std::vector<std::uint32_t> begins;  // begin of each iteration, and end of the last; empty: no iterations
  std::vector<std::uint32_t>
      places;  // for each step from begins.front() on: its place in the body, or kNoPlace

  [[nodiscard]] std::size_t count() const { return begins.empty() ? 0 : begins.size() - 1; }
};

// Returns the longest run of iterations. An iteration may have a few steps that the body lacks, and lack a few
// of its steps.
[[nodiscard]] Repeats repeats_of(const Body& body, const Nested& sequence);

// Returns the iterations that follow one another from the step `begin` on, none of which goes beyond `end`.
[[nodiscard]] Repeats repeats_from(const Body& body, const Nested& sequence, std::uint32_t begin,
                                   std::uint32_t end);

// Returns nothing where no body repeats at least kLeastIterations times in one sequence.
[[nodiscard]] std::optional<Body> find_body(std::span<const Nested> sequences);

}  // namespace memo::planner
