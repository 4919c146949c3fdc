// Finds the buffers that become larger by the same amount with each iteration of a loop, as the cache of a Transformer does.
//
//   size |      . '    a + b k in iteration k, in the plan the largest that was seen
//        |  . '        growth: b, so that t further iterations need b t more (runtime/plan/formulas.h)
//        +-------- k
//
// Such a buffer may be freed within its iteration; then it takes no more in the slab than on the heap. Or the iteration hands
// it on to the next one. Then a loop of period p keeps p places of full size for it, while the heap holds only what is alive.
//
// Those that grow alike can share a pool: as many cells as there are blocks alive at once, each as large as the largest. The
// next block takes the cell that was freed last but so many:
//
//   iteration      0     1     2        two caches, a and b, that are copied one after the other
//   cell 0         a     b     .        three blocks are alive at most, and four places of their own
//   cell 1         b     .     a
//   cell 2         .     a     b
#pragma once

#include <functional>
#include <vector>

#include "planner/fold/tree.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Notes in the nodes by how many bytes the blocks of an allocation grow from one iteration of a loop around it to the next, and from
// where on: of the outermost loop in which they do. That is 0 where the sizes do not rise by the same amount each time, or where too
// few were seen.
void find_growth(Tree& tree);

// Returns the bytes by which the blocks of a place grow; 0 for a place without a slot.
[[nodiscard]] Bytes growth_of(const Node& node);
[[nodiscard]] bool grows_and_is_handed_on(const Node& node);

// Returns what the blocks of an allocation need: bytes of their own (kLarge), of a list or pool, or none.
[[nodiscard]] PlanZone zone_of(const Node& node, Growing growing);

using Nodes = std::function<bool(const Node&)>;

// Returns the most bytes of the meant nodes that were alive at once in any pass.
[[nodiscard]] Bytes peak_of(const Tree& tree, const Nodes& is_meant);

// Cells that buffers share which grow by the same bytes in each iteration.
struct Pool {
  Bytes growth = 0;  // of each in an iteration
  std::uint32_t cells = 0;
};

// The pools of the growing buffers that are handed on.
class Pools {
 public:
  // `united` has the demand of each node, by its number.
  Pools(const Tree& tree, const std::vector<Demand>& united);

  // Returns the number of the node's pool, from 1 on; 0 where it has none.
  [[nodiscard]] std::uint32_t of(const Node& node) const;
  [[nodiscard]] std::uint32_t cells_of(std::uint32_t pool) const { return pools_[pool - 1].cells; }

  // Counts the growing buffers, and what those that are handed on take on the heap.
  [[nodiscard]] const GrowingBuffers& buffers() const { return buffers_; }

 private:
  void add(const Tree& tree, Bytes growth);

  std::vector<Pool> pools_;
  GrowingBuffers buffers_;
};

}  // namespace memo::planner
