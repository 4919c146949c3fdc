// The rules by which the canonical search leaves parts of its tree out, each with a switch. None of them changes an
// answer, so they exist for tests (every combination agrees with brute force) and for measurements.
#pragma once

#include <cstddef>

namespace memo::planner {

struct Rules {
  // A buffer refused at a place is never offered that place again below the refusal, so that each layout is reached
  // by one order of placements only. Without it every order is tried.
  bool canonical_order = true;
  // No buffer is placed at or above the least end that an unplaced buffer could have: it would leave a gap that the
  // other fills.
  bool dominance = true;
  // A refused buffer rises at once to the least end of a neighbour that could carry it. Needs canonical_order.
  bool lifting = true;
  // The unplaced buffers of a section stand on each other: their sum above its lowest free place must fit.
  bool section_inference = true;
  // A buffer under nobody is in nobody's way: if its place led to nothing, no other place will.
  bool hatless = true;
  // Where nothing unplaced crosses a moment, the two sides are solved one after the other, each only once.
  bool decomposition = true;
  // What is left to place, and how low, is looked up among what was refuted before.
  bool memo = true;
  // Buffers that are alike are stacked in the order of their indices.
  bool symmetry = true;
};

}  // namespace memo::planner
