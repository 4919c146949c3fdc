// The bodies of loops: what all iterations that are seen anywhere have, aligned.
//
//   iterations   a b c | a b c | a x b c | a c          body   a x b c        an iteration may lack some of it
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "planner/fold/folded.h"

namespace memo::planner {

// Steps, and loops in the body.
struct LoopBody {
  std::vector<std::uint64_t> ids;
  std::map<std::vector<std::uint64_t>, std::vector<std::uint32_t>> places;  // ids of an iteration → places
};

class Bodies {
 public:
  // Takes in all loops of the shapes, those in loops, too.
  explicit Bodies(std::span<const Shape> shapes);

  [[nodiscard]] const LoopBody& of(const Piece& loop) const { return bodies_.at(loop.id); }

 private:
  void collect(const std::vector<Piece>& pieces);

  std::map<ContextId, LoopBody> bodies_;  // by the loop's id
};

}  // namespace memo::planner
