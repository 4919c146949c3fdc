#include "planner/fold/bodies.h"

#include <utility>

#include "planner/steps/alignment.h"

namespace memo::planner {
namespace {

// Adds what an iteration has and the body lacks.
void join(LoopBody& body, const std::vector<std::uint64_t>& ids) {
  const auto found = align(body.ids, ids);
  Merged merged = merge(body.ids.size(), found.value_or(std::vector<std::uint32_t>(ids.size(), kUnaligned)));
  std::vector<std::uint64_t> all;
  for (const Merged::Origin& origin : merged.elements)
    all.push_back(origin.is_base ? body.ids[origin.place] : ids[origin.place]);
  body.ids = std::move(all);
  for (auto& [known, places] : body.places)
    for (std::uint32_t& place : places) place = merged.base[place];
  body.places.emplace(ids, std::move(merged.other));
}

}  // namespace

Bodies::Bodies(std::span<const Shape> shapes) {
  for (const Shape& shape : shapes) collect(shape.pieces);
}

void Bodies::collect(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    for (const Iteration& iteration : piece.iterations) {
      collect(iteration);
      LoopBody& body = bodies_[piece.id];
      const std::vector<std::uint64_t> ids = ids_of(iteration);
      if (!body.places.contains(ids)) join(body, ids);
    }
  }
}

}  // namespace memo::planner
