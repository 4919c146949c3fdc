// A structure: the steps of several shapes, aligned. Its entries are single steps and loops, in the order of the passes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "planner/variants/loop_runs.h"
#include "planner/variants/rolled.h"

namespace memo::planner {

struct Shape;

// A step of a loop's body, and where it was first seen.
struct BodyStep {
  ContextId context = 0;
  const Shape* from = nullptr;
  std::uint32_t step = 0;
};

// The body of a loop: the steps of all iterations seen, aligned. An iteration may lack some of them.
struct LoopBody {
  std::vector<BodyStep> steps;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> places;  // Turn::body → of each of its steps
};

// A step of a shape, or a loop of it.
struct Token {
  // The steps of one iteration. A single step is one iteration of one step.
  struct Iteration {
    std::uint32_t begin = 0;
    std::uint32_t steps = 1;
    const std::vector<std::uint32_t>* places = nullptr;  // of the steps in the loop's body

    [[nodiscard]] std::uint32_t place_of(std::uint32_t step) const {
      return places == nullptr ? 0 : (*places)[step];
    }
  };
  std::uint64_t id = 0;  // equal for tokens that correspond
  const LoopBody* loop = nullptr;
  std::vector<Iteration> iterations;
};

// Passes that take the very same steps.
struct Shape {
  Nested sequence;
  std::vector<bool> is_scope;                // of each step
  std::vector<std::uint32_t> scopes_before;  // each step, and the end
  std::vector<Piece> pieces;
  std::vector<Token> tokens;
  std::vector<const Member*> members;

  [[nodiscard]] std::uint32_t made_before(std::uint32_t step) const { return step - scopes_before[step]; }
};

// An entry of a structure. Its operators and call sites are those of the shape that brought it in.
struct Entry {
  const Shape* from = nullptr;
  std::uint32_t token = 0;  // in `from`

  [[nodiscard]] const Token& source() const { return from->tokens[token]; }
};

struct AlignedShape {
  const Shape* shape = nullptr;
  std::vector<std::uint32_t> entries;  // of each token
};

struct Structure {
  std::vector<Entry> entries;
  std::vector<AlignedShape> shapes;
};

// Returns the variant that serves all passes of the structure.
[[nodiscard]] Variant variant_of(const Structure& structure);

}  // namespace memo::planner
