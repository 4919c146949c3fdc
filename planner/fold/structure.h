// A structure: the steps of several shapes, aligned. Its entries are single steps and loops, in the order of the passes.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/fold/bodies.h"
#include "planner/fold/folded.h"
#include "planner/steps/sequences.h"

namespace memo::planner {

// Passes that take the very same steps.
struct Shape {
  Nested sequence;
  std::vector<bool> is_scope;                // of each step
  std::vector<std::uint32_t> scopes_before;  // each step, and the end
  std::vector<Piece> pieces;                 // the sequence, folded
  std::vector<const Member*> members;

  [[nodiscard]] std::uint32_t made_before(std::uint32_t step) const { return step - scopes_before[step]; }
};

// An entry of a structure. Its operators and call sites are those of the shape that brought it in.
struct Entry {
  const Shape* from = nullptr;
  std::uint32_t piece = 0;  // in `from`

  [[nodiscard]] const Piece& source() const { return from->pieces[piece]; }
};

struct AlignedShape {
  const Shape* shape = nullptr;
  std::vector<std::uint32_t> entries;  // of each piece
};

struct Structure {
  const Bodies* bodies = nullptr;
  std::vector<Entry> entries;
  std::vector<AlignedShape> shapes;
};

}  // namespace memo::planner
