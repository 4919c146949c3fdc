// Passes that differ in how often they repeat a part, made one variant: token generation, recurrent layers.
//
//   pass of 3   p p | a b c | a b c | a b c | s           variant   p p | a b c | a b c | s        period 2
//   pass of 5   p p | a b c | a b c | a b c | a b c | a b c | s         0 1   2 3 4   5 6 7   8
//                     └────────┘ a is freed when the next a exists: it needs a second place, and the third a
//                                has the first one's again
//
// The body stands in the variant as often as the longest life in it takes, so that a block which an iteration hands on has
// other bytes than its successor. Lifetimes are exact within these iterations. What is handed on beyond the last of them, or
// out of the loop, lives as long as the loop; any iteration may be the last. What is handed on through more than
// kMostIterationsAlive of them (results in a list) has no place at all.
//
// Only passes that differ in their number of iterations are folded: a network that repeats a block the same number of times
// each time has exact lifetimes, and no higher plan, without.
#pragma once

#include <vector>

#include "planner/variants/member.h"
#include "planner/variants/variants.h"

namespace memo::planner {

inline constexpr std::uint32_t kMostIterationsAlive = 4;

// Variants with loops. Their runs are taken out of `members`.
[[nodiscard]] std::vector<Variant> fold_loops(std::vector<Member>& members);

}  // namespace memo::planner
