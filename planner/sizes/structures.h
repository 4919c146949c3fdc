// Joins passes that take the same steps, whatever the sizes: requests of random batch and length. Structure comes first,
// sizes second.
//
//   pass of 2 × 60    p q | (a b) 8 times  | r | (c) 2 times |   s        one structure: p q (a b)… r (c)… t? s
//   pass of 4 × 100   p q | (a b) 16 times | r | (c) 4 times | t s        t: an operator that only some passes need
//
// What passes repeat a different number of times is a loop. There may be many in one pass, and loops in
// loops: tokens that are generated, and in each of them what an operator does for each text and head. Passes that differ in
// a few steps share a structure that has the steps of both. Each slot is as large as the largest block seen there, so the
// layout serves every shape that it dominates.
//
// This is for passes whose sizes seldom come back. Shapes that recur are variants of their own, and may lie on a line
// (families.h).
#pragma once

#include <cstdint>
#include <vector>

#include "planner/steps/member.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Passes of one structure whose sizes come only once, from which on they are no warm-up.
inline constexpr std::size_t kFewShapes = 4;
// Engines warm up within so many passes of a kind. More passes that never recur are requests of many shapes.
inline constexpr std::size_t kLongestWarmUp = 16;

// Returns the variants of those structures that have many shapes or loops, and removes their runs from `members`.
[[nodiscard]] std::vector<Variant> join_structures(std::vector<Member>& members);

}  // namespace memo::planner
