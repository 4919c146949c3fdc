// The part of a sequence that repeats itself without a break: the body of a loop.
//
//   step       p q | a b c d | a b c x d | a b d | a b c d | r s          begins: 2 6 11 14, and 18
//   place           0 1 2 3   0 1 2 - 3   0 1 3   0 1 2 3                 x belongs to none, the third c is missing
//
// Each context is tried as what opens an iteration, as find_period tries anchors; but here it is all about one run of
// iterations that follow one another at once, in sequences that have other things before and behind it. Among bodies that
// account for about as much, the shortest wins; and of its rotations the one that starts where the repetition starts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/period/period.h"

namespace memo::planner {

using Body = std::vector<ContextId>;

inline constexpr std::uint32_t kNoPlace = UINT32_MAX;
inline constexpr std::size_t kLeastIterations = 4;  // of a sequence in which a body is looked for

// A sequence to be looked through. An iteration may begin where everything that was open before the first one is open again,
// and nothing else: `around` says for each step what it stands in.
struct Nested {
  Sequence steps;
  std::vector<std::uint32_t> around;
};

// The iterations of a body in one sequence.
struct Repeats {
  std::vector<std::uint32_t> begins;  // of each iteration, and the end of the last; empty: none
  std::vector<std::uint32_t>
      places;  // of each step from begins.front() on: which of the body it is, or kNoPlace

  [[nodiscard]] std::size_t count() const { return begins.empty() ? 0 : begins.size() - 1; }
};

// The longest run of them. Iterations may have a few steps that the body does not have, and lack a few.
[[nodiscard]] Repeats repeats_of(const Body& body, const Nested& sequence);

// Nothing: none that repeats at least kLeastIterations times in one of them.
[[nodiscard]] std::optional<Body> find_body(std::span<const Nested> sequences);

}  // namespace memo::planner
