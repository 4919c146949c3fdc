// Chooses, among plans of one height, one that suits the cache better. It moves a buffer onto the bytes that
// were freed last before its birth, wherever the buffers alive with it leave room. Bytes just freed are still
// in the cache, so the program need not fetch them from memory again.
//
//   before  |    [--b--]              after  |    [--b--][--c--]
//           |                                |
//           |[--a--]    [--c--]              |[--a--]
//
// b dies as c is born: c moves from bytes that have long left the cache onto the bytes of b.
//
// Each move keeps every other buffer where it is, so the plan is valid after each of them and never grows.
#pragma once

#include "planner/problem/problem.h"

namespace memo::planner {

// Returns the improved offsets. Where there are too many overlapping pairs to list, returns the offsets
// unchanged. O(pairs of overlapping buffers + n · recent).
[[nodiscard]] Offsets prefer_recent_bytes(const Problem& problem, const Offsets& offsets);

// Returns how warm a plan is, from 0 to 1: the share of the bytes of all births that lies on bytes freed
// shortly before. A byte counts the less, the more was freed since.
[[nodiscard]] double warmth(const Problem& problem, const Offsets& offsets);

}  // namespace memo::planner
