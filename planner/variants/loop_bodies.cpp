#include "planner/variants/loop_bodies.h"

#include <algorithm>
#include <optional>

#include "planner/trace/mix.h"
#include "planner/variants/alignment.h"

namespace memo::planner {
namespace {

constexpr std::size_t kCommon = 3, kCommonOf = 4;  // share of the longer that two iterations have in common
constexpr std::uint64_t kLoopMark = std::uint64_t{1} << 40;  // no context is as large

std::vector<std::uint64_t> contexts_of(const LoopBody& body) {
  std::vector<std::uint64_t> contexts;
  for (const BodyStep& step : body.steps) contexts.push_back(step.context);
  return contexts;
}

std::vector<BodyStep> steps_of(const Shape& shape, const Piece& piece) {
  std::vector<BodyStep> steps;
  for (std::uint32_t step = piece.begin; step < piece.begin + piece.steps; ++step)
    steps.push_back({.context = shape.sequence.steps[step].context, .from = &shape, .step = step});
  return steps;
}

// Short repetitions are steps like any others: a view of a view takes the same two blocks twice.
bool is_long(const Piece& piece) {
  return piece.count >= kLeastIterations;
}

// Adds the iterations of a piece to a body. Returns false where they are another body's.
bool join(LoopBody& body, const Shape& shape, const Piece& piece) {
  const std::vector<BodyStep> steps = steps_of(shape, piece);
  std::vector<std::uint64_t> contexts;
  for (const BodyStep& step : steps) contexts.push_back(step.context);
  const auto alignment = align(contexts_of(body), contexts);
  if (!alignment ||
      count_aligned(*alignment) * kCommonOf < std::max(body.steps.size(), steps.size()) * kCommon)
    return false;
  Merged merged = merge(body.steps.size(), *alignment);
  std::vector<BodyStep> all;
  for (const Merged::Origin& origin : merged.elements)
    all.push_back(origin.is_base ? body.steps[origin.place] : steps[origin.place]);
  body.steps = std::move(all);
  for (auto& [known, places] : body.places)
    for (std::uint32_t& place : places) place = merged.base[place];
  body.places.emplace(piece.body, std::move(merged.other));
  return true;
}

}  // namespace

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
    if (!piece.is_loop()) continue;
    if (!body_of_.contains(piece.body)) add(shape, piece);
    collect(shape, piece.inside);
  }
}

void LoopBodies::add(const Shape& shape, const Piece& piece) {
  const auto at =
      std::find_if(bodies_.begin(), bodies_.end(), [&](LoopBody& body) { return join(body, shape, piece); });
  body_of_.emplace(piece.body, static_cast<std::size_t>(at - bodies_.begin()));
  if (at != bodies_.end()) return;
  LoopBody& body = bodies_.emplace_back(LoopBody{.steps = steps_of(shape, piece), .places = {}});
  std::vector<std::uint32_t>& places = body.places[piece.body];
  for (std::uint32_t place = 0; place < body.steps.size(); ++place) places.push_back(place);
}

// Returns equal values for pieces that differ only in how often they are repeated, and in what an iteration may lack.
std::uint64_t LoopBodies::structure_of(const std::vector<Piece>& pieces) const {
  std::uint64_t hash = 0;
  for (const Piece& piece : pieces) {
    if (!piece.is_loop())
      hash = mix(hash, piece.body);
    else
      hash = mix(mix(hash, kLoopMark), structure_of(piece.inside));
  }
  return hash;
}

void LoopBodies::compare(const std::vector<Piece>& a, const std::vector<Piece>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].is_loop() != b[i].is_loop()) return;
    if (!a[i].is_loop()) continue;
    if (a[i].count != b[i].count && (is_long(a[i]) || is_long(b[i])))
      varying_.insert({body_of_.at(a[i].body), body_of_.at(b[i].body)});
    compare(a[i].inside, b[i].inside);
  }
}

std::vector<Token> LoopBodies::tokens_of(const Shape& shape) const {
  std::vector<Token> tokens;
  flatten(shape.pieces, 0, tokens);
  return tokens;
}

void LoopBodies::flatten(const std::vector<Piece>& pieces, std::uint32_t shift,
                         std::vector<Token>& tokens) const {
  for (const Piece& piece : pieces) {
    const std::uint32_t begin = piece.begin + shift;
    if (!piece.is_loop()) {
      tokens.push_back({.id = piece.body, .begin = begin});
      continue;
    }
    const std::size_t number = body_of_.at(piece.body);
    if (varying_.contains(number) && is_long(piece)) {
      const LoopBody& body = bodies_[number];
      tokens.push_back({.id = kLoopMark + number,
                        .begin = begin,
                        .steps = piece.steps,
                        .count = piece.count,
                        .loop = &body,
                        .places = &body.places.at(piece.body)});
      continue;
    }
    for (std::uint32_t i = 0; i < piece.count; ++i) flatten(piece.inside, shift + i * piece.steps, tokens);
  }
}

}  // namespace memo::planner
