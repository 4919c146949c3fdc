// Tells how long the blocks of a structure live: to the end of an iteration, or through some of the next, or beyond the
// loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "planner/variants/structure_parts.h"

namespace memo::planner {

// Returns the index of the last allocation of the pass that the block lives to see.
[[nodiscard]] std::size_t last_seen(const Pass& pass, std::size_t index);

// Notes in the parts that are loops what each block of the body needs in all passes, and how many iterations it takes
// until every block is back in its place.
void look_at_loops(StructureParts& structure);

// Notes in the parts where their operators end: after the last allocation that they hold.
void note_scope_ends(StructureParts& structure);

// Returns the life of a block of a loop. Any iteration may be the last, and the first follows the last again.
[[nodiscard]] Lifetime life_of(const StructureParts& structure, const Part& part, std::uint32_t iteration,
                               std::uint32_t place);

}  // namespace memo::planner
