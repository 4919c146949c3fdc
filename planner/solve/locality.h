// Among plans of one height, the one that is kinder to the cache: a buffer is moved onto the bytes that were freed last
// before it was born, wherever the buffers alive with it leave room. What was just freed is still in the cache, and
// what it shares with its successor is not fetched from memory again.
//
//   before  |    [--b--]              after  |    [--b--][--c--]
//           |                                |
//           |[--a--]    [--c--]              |[--a--]
//
// b dies as c is born: c moves from bytes that are long cold onto those that b has left.
//
// Each move keeps every other buffer where it is, so the plan is valid after each of them and never grows.
#pragma once

#include "planner/problem/problem.h"

namespace memo::planner {

// O(pairs of overlapping buffers + n · recent) where the pairs are few enough to list; else the offsets as they are.
[[nodiscard]] Offsets prefer_recent_bytes(const Problem& problem, const Offsets& offsets);

// How warm a plan is: of the bytes of all births, the share that lies on bytes freed shortly before, counted the less the
// more was freed since. 0 to 1.
[[nodiscard]] double warmth(const Problem& problem, const Offsets& offsets);

}  // namespace memo::planner
