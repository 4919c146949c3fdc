// Finds the least number of rows in which no two lifetimes of a row overlap: each lifetime, in the order of
// birth, takes the lowest free row. For interval graphs this greedy colouring is optimal. O(n log n).
//
//     row 1      +--b--+        +--d--+
//     row 0   +--a--+  +---c------+
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// Returns the row of each lifetime; rows are numbered from 0 without gaps.
[[nodiscard]] std::vector<std::uint32_t> interval_rows(std::span<const Lifetime> lives);

}  // namespace memo::planner
