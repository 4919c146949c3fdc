// Makes a problem as small as possible without changing any answer:
//
//   sizes   divided by the common divisor of all sizes, alignments and fixed offsets;
//   time    replaced by the number of the section: a section is a longest run of moments between a death and
//           the next birth after it, and the buffers alive in it are a maximal clique. Two buffers overlap
//           exactly if they share a section;
//   parts   split where nothing is alive: the buffers on one side cannot disturb those on the other.
//
//     time      0  1  2  3  4  5  6        section  0    1    |  2
//               +--a--+                             a  .      |
//                  +-----b-----+                    b  b      |
//                        +--c--+                       c      |
//                              +-d-+                          |  d
#pragma once

#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// A part of the problem. Lifetimes are section numbers from 0 to `sections`; `original[i]` is the index that
// problem.buffers[i] had before. The capacity is rounded down to whole units, which is exact, since every
// height is a whole number of units.
struct ProblemPart {
  Problem problem;
  Time sections = 0;
  std::vector<BufferIndex> original;
};

struct Normalised {
  Bytes unit = 1;
  std::size_t buffers = 0;
  std::vector<ProblemPart> parts;  // in the order of time
};

// Normalises the problem. O(n log n).
[[nodiscard]] Normalised normalise(const Problem& problem);

// Makes the plan of the whole problem from one plan for each part.
[[nodiscard]] Offsets restore(const Normalised& normalised, std::span<const Offsets> of_parts);

// Returns the lifetimes as section numbers, half-open, in the order of the buffers.
[[nodiscard]] std::vector<Lifetime> section_lifetimes(const Problem& problem);

}  // namespace memo::planner
