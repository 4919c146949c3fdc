// The loops of a kind of passes: which of the parts that its shapes repeat are iterations of the same body, and which of
// these are repeated a different number of times.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "planner/variants/structure.h"

namespace memo::planner {

// Adds to a body what an iteration with these ids has and the body lacks. The alignment is that of the ids to the body's.
void add_iteration(LoopBody& body, const std::vector<std::uint64_t>& ids,
                   std::span<const std::uint32_t> alignment);

class LoopBodies {
 public:
  // The shapes are rolled, and stay where they are.
  explicit LoopBodies(const std::vector<Shape>& shapes);

  // Writes a rolled shape as tokens: loops stay, what is repeated equally often is written in full.
  [[nodiscard]] std::vector<Token> tokens_of(const Shape& shape) const;

 private:
  void collect(const Shape& shape, const std::vector<Piece>& pieces);
  void add(const Shape& shape, const Turn& turn);
  // Returns the body of a loop; nothing where its iterations have several.
  [[nodiscard]] std::optional<std::size_t> body_of(const Piece& loop) const;
  [[nodiscard]] Token token_of(const Shape& shape, const Piece& loop, std::size_t number) const;
  void compare(const std::vector<Piece>& a, const std::vector<Piece>& b);
  [[nodiscard]] std::uint64_t structure_of(const std::vector<Piece>& pieces) const;
  void flatten(const Shape& shape, const std::vector<Piece>& pieces, std::vector<Token>& tokens) const;

  std::deque<LoopBody> bodies_;
  std::unordered_map<std::uint64_t, std::size_t> body_of_;  // Turn::body → its body
};

}  // namespace memo::planner
