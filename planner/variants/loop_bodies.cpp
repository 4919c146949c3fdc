#include "planner/variants/loop_bodies.h"

#include <algorithm>
#include <optional>

#include "planner/trace/mix.h"
#include "planner/variants/alignment.h"

namespace memo::planner {
namespace {

constexpr std::size_t kCommon = 3, kCommonOf = 4;  // share of the longer that two iterations have in common
constexpr std::uint64_t kLoopMark = std::uint64_t{1} << 40;  // no context is as large

std::vector<std::uint64_t> contexts_of(const Shape& shape, const Turn& turn) {
  std::vector<std::uint64_t> contexts;
  contexts.reserve(turn.steps);
  for (std::uint32_t step = turn.begin; step < turn.begin + turn.steps; ++step)
    contexts.push_back(shape.sequence.steps[step].context);
  return contexts;
}

// Short repetitions are steps like any others: a view of a view takes the same two blocks twice.
bool is_long(const Piece& piece) {
  return piece.turns.size() >= kLeastIterations;
}

// Adds an iteration to a body. Returns false where it is another body's.
bool join(LoopBody& body, const std::vector<std::uint64_t>& contexts) {
  const auto alignment = align(body.ids, contexts);
  if (!alignment ||
      count_aligned(*alignment) * kCommonOf < std::max(body.ids.size(), contexts.size()) * kCommon)
    return false;
  add_iteration(body, contexts, *alignment);
  return true;
}

}  // namespace

void add_iteration(LoopBody& body, const std::vector<std::uint64_t>& ids,
                   std::span<const std::uint32_t> alignment) {
  Merged merged = merge(body.ids.size(), alignment);
  std::vector<std::uint64_t> all;
  for (const Merged::Origin& origin : merged.elements)
    all.push_back(origin.is_base ? body.ids[origin.place] : ids[origin.place]);
  body.ids = std::move(all);
  for (auto& [known, places] : body.places)
    for (std::uint32_t& place : places) place = merged.base[place];
  body.places.emplace(ids, std::move(merged.other));
}

LoopBodies::LoopBodies(const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) collect(shape, shape.pieces);
  std::unordered_map<std::uint64_t, const Shape*> first;
  for (const Shape& shape : shapes) {
    const auto [at, fresh] = first.try_emplace(structure_of(shape.pieces), &shape);
    if (!fresh) compare(at->second->pieces, shape.pieces);
  }
}

void LoopBodies::collect(const Shape& shape, const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    for (const Turn& turn : piece.turns) {
      if (!body_of_.contains(turn.body)) add(shape, turn);
      collect(shape, turn.inside);
    }
  }
}

void LoopBodies::add(const Shape& shape, const Turn& turn) {
  const std::vector<std::uint64_t> contexts = contexts_of(shape, turn);
  const auto at =
      std::find_if(bodies_.begin(), bodies_.end(), [&](LoopBody& body) { return join(body, contexts); });
  body_of_.emplace(turn.body, static_cast<std::size_t>(at - bodies_.begin()));
  if (at != bodies_.end()) return;
  LoopBody& body = bodies_.emplace_back(LoopBody{.ids = contexts, .places = {}});
  std::vector<std::uint32_t>& places = body.places[contexts];
  for (std::uint32_t place = 0; place < contexts.size(); ++place) places.push_back(place);
}

std::optional<std::size_t> LoopBodies::body_of(const Piece& loop) const {
  const std::size_t body = body_of_.at(loop.turns.front().body);
  const bool same = std::all_of(loop.turns.begin(), loop.turns.end(),
                                [&](const Turn& turn) { return body_of_.at(turn.body) == body; });
  return same ? std::optional(body) : std::nullopt;
}

// Returns equal values for pieces that differ only in how often they are repeated, and in what an iteration may lack.
std::uint64_t LoopBodies::structure_of(const std::vector<Piece>& pieces) const {
  std::uint64_t hash = 0;
  for (const Piece& piece : pieces) {
    if (!piece.is_loop())
      hash = mix(hash, piece.body);
    else
      hash = mix(mix(hash, kLoopMark), structure_of(piece.turns.front().inside));
  }
  return hash;
}

void LoopBodies::compare(const std::vector<Piece>& a, const std::vector<Piece>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].is_loop() != b[i].is_loop()) return;
    if (!a[i].is_loop()) continue;
    if (a[i].turns.size() != b[i].turns.size() && (is_long(a[i]) || is_long(b[i])))
      for (const Piece* piece : {&a[i], &b[i]})
        if (const std::optional<std::size_t> body = body_of(*piece)) bodies_[*body].varies = true;
    compare(a[i].turns.front().inside, b[i].turns.front().inside);
  }
}

std::vector<Token> LoopBodies::tokens_of(const Shape& shape) const {
  std::vector<Token> tokens;
  flatten(shape, shape.pieces, tokens);
  return tokens;
}

void LoopBodies::flatten(const Shape& shape, const std::vector<Piece>& pieces,
                         std::vector<Token>& tokens) const {
  for (const Piece& piece : pieces) {
    if (!piece.is_loop()) {
      tokens.push_back({.id = piece.body, .step = piece.begin, .loop = nullptr, .iterations = {}});
      continue;
    }
    const std::optional<std::size_t> body = body_of(piece);
    if (body && bodies_[*body].varies && is_long(piece)) {
      tokens.push_back(token_of(shape, piece, *body));
      continue;
    }
    for (const Turn& turn : piece.turns) flatten(shape, turn.inside, tokens);
  }
}

Token LoopBodies::token_of(const Shape& shape, const Piece& loop, std::size_t number) const {
  const LoopBody& body = bodies_[number];
  Token token{.id = kLoopMark + number, .step = loop.begin, .loop = &body, .iterations = {}};
  for (const Turn& turn : loop.turns) {
    const std::vector<std::uint64_t> contexts = contexts_of(shape, turn);
    Token::Iteration& iteration =
        token.iterations.emplace_back(Token::Iteration{.tokens = {}, .places = &body.places.at(contexts)});
    for (std::uint32_t i = 0; i < turn.steps; ++i)
      iteration.tokens.push_back(
          {.id = contexts[i], .step = turn.begin + i, .loop = nullptr, .iterations = {}});
  }
  return token;
}

}  // namespace memo::planner
