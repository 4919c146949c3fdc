// Joins passes that differ in how often they repeat a part (token generation, recurrent layers) to one variant.
//
//   pass of 3   p p | a b c | a b c | a b c | s           variant   p p | a b c | a b c | s        period 2
//   pass of 5   p p | a b c | a b c | a b c | a b c | a b c | s         0 1   2 3 4   5 6 7   8
//                     └────────┘ a is freed when the next a exists: it needs a second place, and the third a
//                                has the first one's again
//
// The variant holds as many iterations of the body as the longest lifetime in it spans, so that a block which
// an iteration hands on has other bytes than its successor. Lifetimes are exact within these iterations. A
// block that is handed on beyond the last of them, or out of the loop, lives as long as the loop, since any
// iteration may be the last. A block that is handed on through more than kMostIterationsAlive iterations
// (results in a list) gets no place, unless another iteration always frees it after so many, and the places pay:
//
//   x[c] = f(x[c - 8])     eight iterations in the variant, and a place for the x of each
//
// Passes are of one variant where they are alike before and after the loop, sizes before it included. Where these do not count, as
// for a decoder whose prompts have lengths of their own, each slot is as large as the largest.
//
// Only passes that differ in their number of iterations are folded. A network that repeats a block the same
// number of times in each pass has exact lifetimes without folding, and its plan is no higher.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/variants/member.h"
#include "planner/variants/variants.h"

namespace memo::planner {

inline constexpr std::uint32_t kMostIterationsAlive = 4;

// What passes must have in common before their loop.
enum class Frames : std::uint8_t { kOfEqualSizes, kOfAnySizes };

// Returns the variants with loops, and removes their runs from `members`.
[[nodiscard]] std::vector<Variant> fold_loops(std::vector<Member>& members,
                                              Frames frames = Frames::kOfEqualSizes);

}  // namespace memo::planner
