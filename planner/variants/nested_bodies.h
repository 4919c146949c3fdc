// The bodies of loops that may lie in each other: the steps, and the loops, of all iterations that are seen anywhere, aligned.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "planner/variants/rolled_together.h"
#include "planner/variants/structure.h"

namespace memo::planner {

class NestedBodies {
 public:
  // Takes in all loops of the rolled sequences, those in loops, too.
  explicit NestedBodies(std::span<const Rolled> rolled);

  // Writes pieces as tokens. The bodies must outlive them.
  [[nodiscard]] std::vector<Token> tokens_of(const std::vector<NestedPiece>& pieces) const;

 private:
  void collect(const std::vector<NestedPiece>& pieces);

  std::map<ContextId, LoopBody> bodies_;  // by the loop's id
};

}  // namespace memo::planner
