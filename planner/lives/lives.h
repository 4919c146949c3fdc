// Tells how long the blocks of a structure live: to some step of an iteration, or through some of the next, or beyond a loop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "planner/fold/tree.h"
#include "planner/lives/growth.h"

namespace memo::planner {

// The iterations of the loops around a node that the variant has one copy of each for, from the outermost on.
using Copies = std::array<std::uint32_t, kMaxLoopDepth>;

// Notes in the nodes what each allocation needs in all passes, and where operators end. Gives a block places through
// kMostIterationsAlive iterations. A block that an iteration itself frees has some through `deepest`, if that is more.
void look_at_lives(Tree& tree, std::uint32_t deepest = kMostIterationsAlive);

// Notes after how many iterations of a loop every block is back in its place, and how many demands and operators come before
// each node. Growing blocks that are handed on do not count where they have no places of their own.
void number_demands(Tree& tree, Growing growing = Growing::kInSlab);

// Returns the number of the first demand of the node, or of its first operator.
[[nodiscard]] std::uint32_t first_demand(const Node& node, const Copies& copies);
[[nodiscard]] std::uint32_t scope_number(const Node& node, const Copies& copies);

// Returns the life of an allocation's block. Any iteration of a loop may be the last, and the first follows the last again.
[[nodiscard]] Lifetime life_of(const Branch& whole, const Node& node, const Copies& copies);

// Returns the demand before which an operator ends.
[[nodiscard]] std::uint32_t scope_end(const Branch& whole, const Node& node, const Copies& copies);

}  // namespace memo::planner
