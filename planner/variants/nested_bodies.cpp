#include "planner/variants/nested_bodies.h"

#include "planner/variants/alignment.h"
#include "planner/variants/loop_bodies.h"

namespace memo::planner {
namespace {

// Adds what an iteration has and the body lacks.
void join(LoopBody& body, const std::vector<std::uint64_t>& ids) {
  const auto found = align(body.ids, ids);
  add_iteration(body, ids, found.value_or(std::vector<std::uint32_t>(ids.size(), kUnaligned)));
}

}  // namespace

NestedBodies::NestedBodies(std::span<const Rolled> rolled) {
  for (const Rolled& one : rolled) collect(one.pieces);
}

void NestedBodies::collect(const std::vector<NestedPiece>& pieces) {
  for (const NestedPiece& piece : pieces) {
    for (const NestedTurn& turn : piece.turns) {
      collect(turn);
      LoopBody& body = bodies_[piece.id];
      const std::vector<std::uint64_t> ids = ids_of(turn);
      if (!body.places.contains(ids)) join(body, ids);
    }
  }
}

std::vector<Token> NestedBodies::tokens_of(const std::vector<NestedPiece>& pieces) const {
  std::vector<Token> tokens;
  tokens.reserve(pieces.size());
  for (const NestedPiece& piece : pieces) {
    Token& token = tokens.emplace_back();
    token.id = piece.id;
    token.step = piece.begin;
    if (!piece.is_loop()) continue;
    token.loop = &bodies_.at(piece.id);
    for (const NestedTurn& turn : piece.turns)
      token.iterations.push_back({.tokens = tokens_of(turn), .places = &token.loop->places.at(ids_of(turn))});
  }
  return tokens;
}

}  // namespace memo::planner
