// The rules by which the canonical search omits parts of its tree, each with a switch. No rule changes an
// answer. The switches exist for tests (every combination agrees with brute force) and for measurements.
#pragma once

#include <cstddef>

namespace memo::planner {

struct Rules {
  // The search never offers a buffer the place where it was refused again below that refusal, so that only one
  // order of placements reaches each layout. Without this rule, the search tries every order.
  bool canonical_order = true;
  // The search places no buffer at or above the least end that an unplaced buffer could have: there would be a
  // gap below, which that other buffer fills.
  bool dominance = true;
  // A refused buffer rises at once to the least end of a neighbour that could carry it. Needs canonical_order.
  bool lifting = true;
  // The unplaced buffers of a section stand on each other: their sum above the section's lowest free place must
  // fit.
  bool section_inference = true;
  // A buffer without unplaced neighbours will carry nothing, so it is in no other buffer's way: if its place
  // led to no plan, no other place will.
  bool hatless = true;
  // Splits the search at a moment that no unplaced buffer crosses, and solves the two sides one after the
  // other, each only once.
  bool decomposition = true;
  // The search looks up what is left to place, and how low, among the states that it refuted before.
  bool memo = true;
  // Buffers that are alike are stacked in the order of their indices.
  bool symmetry = true;
};

}  // namespace memo::planner
