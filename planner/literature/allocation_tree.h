// allocation-tree: the memory planner of PyTorch's Inductor. The slab is a tree of splits, in time and in space
// by turns:
//
//   TemporalSplit   one stretch of addresses, used by its children one after another in time
//   SpatialSplit    two stretches, left below right, each a TemporalSplit
//   leaves          a buffer, or nothing yet (Empty)
//
//     T --+-- S --+-- T -- a        addresses     +---+        +---+
//         |       +-- T -- Empty         right    | E |  b     | c'|     a and b take turns on the whole stretch;
//         +-- b                          left     | a |  b     | c |     a later buffer may fill the E above a
//                                                 +---+        +---+
//
// Buffers enter largest first, then longest-lived. A TemporalSplit whose children leave the buffer's life free
// takes the buffer (and splits off an Empty when there is room to spare). With one child in the way, it asks
// that child; with more, it gives up. If the whole tree gives up, the slab grows by the buffer.
//
// Its merit is not the height. The places are sums of sizes along the tree, so the plan holds for all
// shapes of one network. The search is incomplete by design. Cost O(n · nodes) at worst. No guarantee. Sizes are
// rounded up to the largest alignment, so that any sum of sizes is a legal place.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kAllocationTree;

// Says what a TemporalSplit does with a buffer that overlaps several of its children, or a full one: gives up, as
// Inductor does, or merges them (allocation_tree_improved.h).
enum class Children { kAlone, kMerged };

// Returns the places that the tree gives where the buffers enter in this order, or nothing when the time ran out.
[[nodiscard]] std::optional<Offsets> allocation_tree_plan(const Problem& problem,
                                                          std::span<const BufferIndex> order,
                                                          const Limits& limits, Children children);

// Serves as the `refusal` of the strategies with this tree: sums of sizes must be legal places.
[[nodiscard]] std::string refusal_of_mixed_alignments(const Problem& problem);

}  // namespace memo::planner
