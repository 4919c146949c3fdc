// A structure: the steps of several shapes, aligned. Its entries are single steps and loops, in the order of the passes.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "planner/variants/loop_runs.h"
#include "planner/variants/rolled.h"

namespace memo::planner {

// The body of a loop: what all iterations seen have, aligned. An iteration may lack some of it.
struct LoopBody {
  std::vector<std::uint64_t> ids;  // steps, and loops in the body
  std::map<std::vector<std::uint64_t>, std::vector<std::uint32_t>>
      places;  // ids of an iteration → place of each
  bool varies =
      false;  // known to run another number of times in some passes, though not at each of its places
};

// A step of a shape, or a loop of it.
struct Token {
  struct Iteration;

  std::uint64_t id = 0;  // equal for tokens that correspond
  std::uint32_t step = 0;
  const LoopBody* loop = nullptr;     // nullptr: a single step
  std::vector<Iteration> iterations;  // of a loop
};

struct Token::Iteration {
  std::vector<Token> tokens;
  const std::vector<std::uint32_t>* places = nullptr;  // of each token in the loop's body
};

// Passes that take the very same steps.
struct Shape {
  Nested sequence;
  std::vector<bool> is_scope;                // of each step
  std::vector<std::uint32_t> scopes_before;  // each step, and the end
  std::vector<Piece> pieces;                 // on one level
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
